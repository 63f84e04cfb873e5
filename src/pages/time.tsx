/** @jsxImportSource hono/jsx */
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../lib/clock.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Times farther away are shown as dates. */
const RELATIVE_MS_MAX = 7 * DAY_MS;

/** Formats a date in UTC, such as `28 Nov 2026`. */
export function dateOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a time in UTC to the minute, such as `28 Nov 2026, 14:05 UTC`. */
export const exactTime = (at: number): string => `${dateOf(at)}, ${iso(at).slice(11, 16)} UTC`;

/** Formats a time relative to now, such as `8 min ago` or `in 5 days`; from one week on, as a date. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  if (distance >= RELATIVE_MS_MAX) return dateOf(at);
  if (distance < MINUTE_MS) return 'just now';
  const amount =
    distance < HOUR_MS
      ? `${Math.floor(distance / MINUTE_MS)} min`
      : distance < DAY_MS
        ? `${Math.floor(distance / HOUR_MS)} h`
        : days(Math.floor(distance / DAY_MS));
  return at < now ? `${amount} ago` : `in ${amount}`;
}

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

/** A relative time with the exact time as its title. The script updates it and uses the reader's time zone. */
export const Time = ({ at }: { readonly at: number }) => (
  <time datetime={iso(at)} title={exactTime(at)}>
    {relativeTime(at, Date.now())}
  </time>
);
