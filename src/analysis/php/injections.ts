import { ORIGIN } from '../origin.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Typical injected code: PHP that runs immediately, or a script that loads or writes another. */
const INJECTED =
  /<\?(?:php|=)?\s{0,20}@?(?:include|require|eval|assert|if\s{0,4}\(\s{0,4}isset\s{0,4}\(\s{0,4}\$_)|<script\b[^>]{0,100}\bsrc\s{0,4}=\s{0,4}\\?["']?(?:https?:)?\/\/|<iframe\b|document\.write\s{0,4}\(|\beval\s{0,4}\(/i;
const INJECTED_CHARS_MAX = 200;
const HIDDEN_CHARS_MIN = 20;

function isInjected({ text, origins }: Value): boolean {
  if (text === undefined || text === '') return false;
  if (origins & ORIGIN.disguised && text.length >= HIDDEN_CHARS_MIN) return true;
  return INJECTED.test(text.slice(0, INJECTED_CHARS_MAX));
}

/** Notes that constant code is concatenated with the content of a file. */
export function noteInjection(walk: Walk, left: Value, right: Value): void {
  if (walk.facts.has('injectsCode')) return;
  if ((right.origins & ORIGIN.file && isInjected(left)) || (left.origins & ORIGIN.file && isInjected(right)))
    walk.note('injectsCode', walk.token?.at ?? 0);
}

/** Judges a replacement in a text that may be the content of a file. */
export const judgeReplacement = (
  walk: Walk,
  [, replacement = UNKNOWN, subject = UNKNOWN]: readonly Value[],
): void => noteInjection(walk, replacement, subject);

/** Functions and classes that search folders. */
export const SEARCHES: ReadonlySet<string> = new Set([
  'scandir',
  'glob',
  'opendir',
  'readdir',
  'recursivedirectoryiterator',
  'directoryiterator',
]);

/** Notes that folders are searched. */
export function noteSearch(walk: Walk, name: string): void {
  if (!SEARCHES.has(name)) return;
  walk.note('searchesFolders', walk.token?.at ?? 0);
}
