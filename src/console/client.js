// Moments in the viewer's own time zone, with UTC in the title.
for (const time of document.querySelectorAll('time[datetime]')) {
  const at = new Date(time.dateTime);
  time.title = time.textContent;
  time.textContent = at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
// What cannot be taken back, or ends something, asks first.
for (const form of document.querySelectorAll('form[data-ask]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.ask)) event.preventDefault();
  });
}
