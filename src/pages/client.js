// Preferences, stored in the browser. The theme is applied before the page is rendered.
const CHOSEN = { theme: 'system', zone: 'local' };
for (const name of Object.keys(CHOSEN)) {
  try {
    CHOSEN[name] = localStorage.getItem(`redoubt-${name}`) ?? CHOSEN[name];
  } catch {
    // Without storage, the defaults apply.
  }
}
function useTheme() {
  if (CHOSEN.theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = CHOSEN.theme;
}
useTheme();

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
// Formats times like the server (time.tsx), and updates them.
function relative(at) {
  const distance = Math.abs(at - Date.now());
  if (distance >= 7 * DAY) return at.toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: zone() });
  if (distance < MINUTE) return 'just now';
  const days = Math.floor(distance / DAY);
  const amount =
    distance < 60 * MINUTE
      ? `${Math.floor(distance / MINUTE)} min`
      : distance < DAY
        ? `${Math.floor(distance / (60 * MINUTE))} h`
        : `${days} ${days === 1 ? 'day' : 'days'}`;
  return at < Date.now() ? `${amount} ago` : `in ${amount}`;
}
const zone = () => (CHOSEN.zone === 'utc' ? 'UTC' : undefined);
function showTimes(within) {
  for (const time of within.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    const options = { dateStyle: 'medium', timeStyle: 'long', timeZone: zone() };
    time.title = at.toLocaleString('en-GB', options);
    time.textContent = relative(at);
  }
}

document.addEventListener('DOMContentLoaded', () => {
  showTimes(document);
  setInterval(() => showTimes(document), MINUTE);

  for (const button of document.querySelectorAll('[data-choice]')) {
    const { choice } = button.dataset;
    const values = button.dataset.values.split('|').map((value) => value.split('='));
    const show = () => {
      button.textContent = values.find(([value]) => value === CHOSEN[choice])?.[1] ?? values[0][1];
    };
    button.hidden = false;
    show();
    button.addEventListener('click', () => {
      const at = values.findIndex(([value]) => value === CHOSEN[choice]);
      CHOSEN[choice] = values[(at + 1) % values.length][0];
      try {
        localStorage.setItem(`redoubt-${choice}`, CHOSEN[choice]);
      } catch {
        // Without storage, the choice applies to this page only.
      }
      show();
      useTheme();
      showTimes(document);
    });
  }

  for (const button of document.querySelectorAll('[data-copy]')) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    const words = button.textContent;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = words;
      }, 2_000);
    });
  }

  // The key `/` focuses the search, except in form fields.
  const find = document.querySelector('[data-find]');
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!find || /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) return;
    event.preventDefault();
    find.focus();
  });

  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }

  // A checkbox that selects all checkboxes of a form.
  for (const all of document.querySelectorAll('[data-all]')) {
    const boxes = document.querySelectorAll(`input[type=checkbox][form="${all.dataset.all}"]`);
    all.closest('label').hidden = false;
    all.addEventListener('change', () => {
      for (const box of boxes) box.checked = all.checked;
    });
  }

  // Asks for confirmation of irreversible and disruptive acts.
  for (const form of document.querySelectorAll('form[data-ask]')) {
    form.addEventListener('submit', (event) => {
      if (!confirm(form.dataset.ask)) event.preventDefault();
    });
  }

  // A live page is reloaded on an event of its stream, or every few seconds while it has data-again. Open details stay open.
  // While an
  // element inside has the focus, nothing is replaced.
  const live = document.querySelector('[data-live], [data-again]');
  function refresh() {
    const request = new XMLHttpRequest();
    // The browser parses the document, so that no string is inserted as markup (Trusted Types).
    request.responseType = 'document';
    request.open('GET', location.href);
    request.addEventListener('loadend', again);
    request.addEventListener('load', () => {
      const next = request.response?.querySelector('[data-live], [data-again]');
      if (next?.dataset.again === undefined) delete live.dataset.again;
      if (request.status !== 200 || !next || live.contains(document.activeElement)) return;
      const opened = Array.from(live.querySelectorAll('details'), ({ open }) => open);
      showTimes(next);
      live.replaceChildren(...next.childNodes);
      for (const [index, details] of live.querySelectorAll('details').entries()) details.open = opened[index];
    });
    request.send();
  }
  function again() {
    if (live.dataset.again !== undefined) setTimeout(refresh, Number(live.dataset.again) * 1000);
  }
  if (live) {
    const { live: path, seen } = live.dataset;
    again();
    if (path) {
      const events = new EventSource(`${path}?seen=${seen}`);
      events.addEventListener('changed', refresh);
      events.addEventListener('ended', () => location.reload());
    }
  }

  // Files dropped on a text field are put into the file input, and sent with the form.
  for (const chosen of document.querySelectorAll('[data-drop]')) {
    const text = chosen.form.elements[chosen.dataset.drop];
    text.addEventListener('dragover', (event) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    });
    text.addEventListener('drop', (event) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      chosen.files = event.dataTransfer.files;
    });
  }

  // A file that is chosen, or dropped on a text field, is read into that field. Nothing is sent until the form is submitted.
  for (const into of document.querySelectorAll('[data-into]')) {
    const text = into.closest('form').elements[into.dataset.into];
    const chosen = into.querySelector('input');
    const refused = into.querySelector('[role=alert]');
    const read = async (file) => {
      refused.hidden = true;
      try {
        if (file.size > Number(into.dataset.max)) throw new RangeError('too large');
        text.value = await file.text();
      } catch {
        refused.hidden = false;
      }
    };
    into.hidden = false;
    chosen.addEventListener('change', () => {
      if (chosen.files[0]) read(chosen.files[0]);
    });
    text.addEventListener('dragover', (event) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    });
    text.addEventListener('drop', (event) => {
      const [file] = event.dataTransfer.files;
      if (!file) return;
      event.preventDefault();
      read(file);
    });
  }
});
