// Moments in the viewer's own time zone, with UTC in the title.
function showTimes(within) {
  for (const time of within.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    time.title = time.textContent;
    time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  }
}
showTimes(document);

// What cannot be taken back, or ends something, asks first.
for (const form of document.querySelectorAll('form[data-ask]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.ask)) event.preventDefault();
  });
}

// A page that changes by itself asks for itself again when it is told to, or every few seconds while it says so. Whatever is open
// stays so; what somebody is in is left alone.
const live = document.querySelector('[data-live], [data-again]');
function refresh() {
  const request = new XMLHttpRequest();
  // The browser makes the document: no text becomes markup here.
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

// A file that is chosen, or dropped on a text, is read into the text here; nothing is sent before the form is.
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
