import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { text } from '../../http/fields.ts';
import { parseTimestamp, TIMESTAMP_CHARS_MAX } from '../../lib/timestamp.ts';

export const Moment = (description: string) =>
  text({ maxLength: TIMESTAMP_CHARS_MAX, format: 'date-time', description });

/**
 * Parses a {@link Moment}. Returns milliseconds since the Unix epoch.
 *
 * @throws Refusal that names the parameter
 */
export function readMoment(name: string, text: string): number {
  const atMs = parseTimestamp(text);
  if (atMs === undefined) {
    const message = `${name}: is not a timestamp such as 2026-01-31T12:00:00Z; in a URL, + is written %2B`;
    throw refuse('INVALID_QUERY', message);
  }
  return atMs;
}

/** Query parameters of a time range. */
export const SPAN = (what: string) => ({
  since: t.Optional(
    Moment(`only ${what} at or after this time; other ISO 8601 forms with an offset are accepted`),
  ),
  until: t.Optional(
    Moment(`only ${what} before this time; other ISO 8601 forms with an offset are accepted`),
  ),
});

/**
 * Parses a {@link SPAN}, in milliseconds since the Unix epoch. Missing bounds become the smallest and the largest safe integer.
 */
export const readSpan = ({ since, until }: { since?: string; until?: string }) => ({
  since: since === undefined ? Number.MIN_SAFE_INTEGER : readMoment('since', since),
  until: until === undefined ? Number.MAX_SAFE_INTEGER : readMoment('until', until),
});
