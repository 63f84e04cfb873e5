import type { Tokens } from 'marked';
import { addressOf, SEARCH_ADDRESSES } from './addresses.ts';
import { PAGES } from './pages.ts';
import { anchorOf, frame, marked, titleOf } from './render.ts';

/** The text below a heading, up to the next one. */
interface Section {
  readonly address: string;
  /** The title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly depth: number;
  readonly text: string;
}

const DEPTH_MAX = 3;
const WORD = /(?<![\p{L}\p{N}_.-])\p{L}(?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?/gu;
const CHARACTERS = { min: 3, max: 30 };
/** Words in a larger share of the sections are too common to be indexed. */
const SHARE_MAX = 0.1;

/** Returns the sections and subsections of a page in order. */
function partsOf(name: string, markdown: string): Section[] {
  const page = titleOf(markdown);
  const sections: { heading: string; depth: number; text: string }[] = [];
  for (const token of marked.lexer(markdown)) {
    const { depth = 0, text = '' } = token as Partial<Tokens.Heading>;
    if (token.type === 'heading' && depth <= DEPTH_MAX) sections.push({ heading: text, depth, text: '' });
    const last = sections.at(-1);
    if (last) last.text += token.raw;
  }
  return sections.map((section) => ({
    ...section,
    page,
    address: section.depth === 1 ? addressOf(name) : `${addressOf(name)}#${anchorOf(section.heading)}`,
  }));
}

const allSections = (): Section[] => [...PAGES].flatMap(([name, markdown]) => partsOf(name, markdown));

const plain = (heading: string): string => heading.replaceAll(/[`*]/g, '');

/** Encodes ascending numbers as differences in base 36. */
const steps = (numbers: readonly number[]): string =>
  numbers.map((each, at) => (each - (numbers[at - 1] ?? 0)).toString(36)).join(' ');

/**
 * Encodes words in alphabetical order. Each is encoded as the length of the prefix shared with the previous word in base 36, the
 * rest of the word, and the {@link steps} to its sections.
 */
function wordList(places: ReadonlyMap<string, readonly number[]>): string {
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted
    .map(([word, at], index) => {
      const shared = sharedLength(word, sorted[index - 1]?.[0] ?? '');
      return `${shared.toString(36)}${word.slice(shared)} ${steps(at)}`;
    })
    .join(',');
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/**
 * Returns the search index: the sections, and the {@link wordList}. It is searched in the browser, so that terms are not sent.
 */
export function searchIndex(): string {
  const sections = allSections();
  const places = new Map<string, number[]>();
  for (const [at, { text }] of sections.entries())
    for (const word of new Set(text.toLowerCase().match(WORD) ?? []))
      if (word.length >= CHARACTERS.min && word.length <= CHARACTERS.max)
        places.set(word, [...(places.get(word) ?? []), at]);
  const words = [...places].filter(([, at]) => at.length <= sections.length * SHARE_MAX);
  return JSON.stringify({
    sections: sections.map(({ address, page, heading }) => [address, page, plain(heading)]),
    words: wordList(new Map(words)),
  });
}

/** Renders the search page. Without a script, it lists all headings. */
export function searchPage(): string {
  const headings = allSections().map(
    ({ address, heading, depth }) =>
      `<li class="depth-${depth}"><a href="${address}">${marked.parseInline(heading)}</a></li>`,
  );
  return frame({
    name: 'search',
    title: 'Search - Redoubt handbook',
    script: SEARCH_ADDRESSES.script,
    content: `<h1>Search</h1>
<label class="search" hidden>Search the handbook
<input type="search" data-index="${SEARCH_ADDRESSES.index}" autocomplete="off"></label>
<ul id="found" aria-live="polite"></ul>
<h2>All headings</h2>
<ul class="headings">
${headings.join('\n')}
</ul>
`,
  });
}
