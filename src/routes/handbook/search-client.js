// Searches the index of the handbook in the browser. A section matches if each term is a prefix of one of its words.
const input = document.querySelector('[data-index]');
const found = document.querySelector('#found');
const SHOWN_MAX = 30;

/** Decodes the word list of an index: words with the numbers of their sections. */
function wordsIn(list) {
  let word = '';
  return list.split(',').map((entry) => {
    const [end, ...steps] = entry.split(' ');
    word = word.slice(0, Number.parseInt(end[0], 36)) + end.slice(1);
    let at = 0;
    return [word, steps.map((step) => (at += Number.parseInt(step, 36)))];
  });
}

function search({ sections, words }, text) {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  if (terms.length === 0) return [];
  const scores = sections.map(() => 0);
  let left = new Set(sections.keys());
  for (const term of terms) {
    const here = new Set();
    for (const [word, places] of words) {
      if (!word.startsWith(term)) continue;
      for (const at of places) {
        here.add(at);
        scores[at] += word === term ? 2 : 1;
      }
    }
    for (const [at, [, page, heading]] of sections.entries()) {
      if (!`${page} ${heading}`.toLowerCase().includes(term)) continue;
      here.add(at);
      scores[at] += heading.toLowerCase().includes(term) ? 20 : 5;
    }
    left = left.intersection(here);
  }
  return [...left].sort((one, other) => scores[other] - scores[one]).slice(0, SHOWN_MAX);
}

const { sections, words } = await (await fetch(input.dataset.index)).json();
const index = { sections, words: wordsIn(words) };
function show() {
  const at = search(index, input.value);
  found.replaceChildren(
    ...at.map((each) => {
      const [address, page, heading] = sections[each];
      const [item, link] = [document.createElement('li'), document.createElement('a')];
      link.href = address;
      link.textContent = page === heading ? page : `${page}: ${heading}`;
      item.append(link);
      return item;
    }),
  );
  if (at.length === 0 && input.value.trim() !== '') found.textContent = 'No section has all these words.';
}
input.parentElement.hidden = false;
input.value = new URLSearchParams(location.search).get('q') ?? '';
input.addEventListener('input', show);
input.focus();
show();
