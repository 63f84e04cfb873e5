/** ISO 8601 calendar date and time with a zone, extended or basic: seconds, fraction and the offset's minutes are optional. */
const EXTENDED =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,100}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;
const BASIC =
  /^(\d{4})(\d\d)(\d\d)[Tt](\d\d)(\d\d)(?:(\d\d)(?:[.,](\d{1,100}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/;

/** The longest text that {@link parseTimestamp} reads. */
export const TIMESTAMP_CHARS_MAX = 128;

const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
/** The last moment with a year of four digits in ISO 8601. Later dates are not accepted. */
export const LAST_MOMENT_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The expected form, for messages. */
export const MOMENT_FORM = 'an ISO 8601 time in the years 0000 to 9999, such as 2027-01-31T00:00:00Z';

/** Whether ISO 8601 can represent a moment with a year of four digits. */
export const isWritable = (atMs: number): boolean => atMs >= YEAR_0 && atMs <= LAST_MOMENT_MS;

const MINUTE_MS = 60_000;

/** Milliseconds since the Unix epoch, or undefined when the text is not an ISO 8601 date-time with a zone. */
export function parseTimestamp(text: string): number | undefined {
  const parts = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (parts === null) return undefined;
  const numbers = [1, 2, 3, 4, 5, 6, 9, 10].map((at) => Number(parts[at] ?? 0));
  const [year, month, day, hours, minutes, seconds, offsetHours, offsetMinutes] = numbers as Eight;
  if (month < 1 || month > 12 || day < 1 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return undefined;
  // Leap seconds are valid, but a Date cannot represent them.
  date.setUTCHours(
    hours,
    minutes,
    Math.min(seconds, 59),
    Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0')),
  );
  const offsetMs = (offsetHours * 60 + offsetMinutes) * MINUTE_MS;
  const atMs = date.getTime() - (parts[8] === '-' ? -offsetMs : offsetMs);
  // An offset can move the moment out of the representable years.
  return isWritable(atMs) ? atMs : undefined;
}

type Eight = [number, number, number, number, number, number, number, number];

/** Like {@link parseTimestamp}; also accepts a date, which means the start of that day in UTC. */
export const parseDayOrTimestamp = (text: string): number | undefined =>
  parseTimestamp(text) ?? parseTimestamp(`${text}T00:00:00Z`);
