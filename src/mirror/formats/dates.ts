import { isWritable } from '../../lib/timestamp.ts';

/** ISO 8601 and the variants found in feeds: slashes, a space for the T, a zone without colon, or no zone. */
const DATE =
  /^(\d{4})([-/])(\d{2})\2(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)? ?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses a date into milliseconds since the Unix epoch; UTC if it has no zone. Null if it is not a valid date. */
export function momentOf(value: unknown): number | null {
  const parts = typeof value === 'string' ? DATE.exec(value.trim()) : null;
  if (parts === null) return null;
  const [, year, , month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = parts;
  const zoned = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const date = `${year}-${month}-${day}`;
  const at = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${zoned}`);
  // Date.parse accepts 30 February as 1 March.
  const isReal = new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
  return isWritable(at) && isReal ? at : null;
}

/** The latest moment; null if all are unknown. */
export function latest(...moments: readonly (number | null)[]): number | null {
  const known = moments.filter((moment) => moment !== null);
  return known.length === 0 ? null : Math.max(...known);
}
