import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS } from './suite.ts';

/** Where the times of test files are recorded, in the form of `bun test --timings`. */
export const RECORDED = join(import.meta.dir, '../timings.json');

/** The time of an unrecorded file. */
const UNKNOWN_MS = 1_000;

interface Timings {
  readonly files: Readonly<Record<string, number>>;
}

/** The durations of files in milliseconds, by their path from the root. */
export const timingsIn = (path: string): Timings['files'] =>
  (JSON.parse(readFileSync(path, 'utf8')) as Timings).files;

/**
 * Divides test files into the eight parts of the whole matrix, which take about the same time: the longest
 * file comes first, and each goes to the shortest part so far. The same files and times always give the same
 * parts.
 */
export function dividedIntoParts(
  files: readonly string[],
  times: Timings['files'] = timingsIn(RECORDED),
): readonly (readonly string[])[] {
  const msOf = (file: string) => times[file] ?? UNKNOWN_MS;
  const parts = Array.from({ length: PARTS }, () => ({ ms: 0, files: [] as string[] }));
  for (const file of files.toSorted((one, other) => msOf(other) - msOf(one) || (one < other ? -1 : 1))) {
    const shortest = parts.reduce((least, part) => (part.ms < least.ms ? part : least));
    shortest.ms += msOf(file);
    shortest.files.push(file);
  }
  return parts.map((part) => part.files);
}
