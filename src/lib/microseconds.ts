import { iso } from './clock.ts';
import { parseTimestamp } from './timestamp.ts';

const FRACTION = /[.,](\d+)/;
const MICROSECONDS_OF_MS = 1_000;
const DIGITS_OF_MS = 3;
const DIGITS = 6;

/** A moment in microseconds since the Unix epoch, as ISO 8601 in UTC with six digits. */
export function isoMicroseconds(at: number): string {
  const beyondMs = String(at % MICROSECONDS_OF_MS).padStart(DIGITS - DIGITS_OF_MS, '0');
  return `${iso(Math.floor(at / MICROSECONDS_OF_MS)).slice(0, -1)}${beyondMs}Z`;
}

/** Parses a moment into microseconds since the Unix epoch, truncated; undefined for other texts and moments before 1970. */
export function parseMicroseconds(text: string): number | undefined {
  const ms = parseTimestamp(text);
  if (ms === undefined || ms < 0) return undefined;
  const fraction = FRACTION.exec(text)?.[1] ?? '';
  return (
    ms * MICROSECONDS_OF_MS + Number(fraction.slice(DIGITS_OF_MS, DIGITS).padEnd(DIGITS - DIGITS_OF_MS, '0'))
  );
}
