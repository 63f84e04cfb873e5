import { ORIGIN } from '../origin.ts';
import { isUrl } from './operators.ts';
import { PHP } from './signals.ts';
import { asOne, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Judges the path argument of a file function. */
export function judgeFile(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const path =
    name === 'rename' || name === 'copy' || name === 'symlink' ? asOne(args) : (args[0] ?? UNKNOWN);
  const origins = originsOf(path);
  // A URL is not a local file.
  if (isUrl(path) && !(origins & ORIGIN.leading)) return;
  walk.noteParameter('file', origins);
  if (/^\/etc\/(?:passwd|shadow)$/.test(path.text ?? '')) walk.report(PHP.readsAccounts, at);
  if (origins & ORIGIN.request && !(origins & ORIGIN.upload)) touchFile(walk, name, at, origins);
}

/** Limits of the paths that the request can name: a constant part, or no separators. */
const LIMITS = ORIGIN.partial | ORIGIN.flat;

/** Reports a file or folder named by the request. */
export function touchFile(walk: Walk, name: string, at: number, origins: number = ORIGIN.request): void {
  // `touch` neither reveals nor changes content.
  const isLimited = name === 'touch' || (origins & LIMITS) !== 0;
  walk.report(isLimited ? PHP.filesRequestPart : PHP.filesRequest, at);
  // With only document names, nothing can be managed.
  const isDocument = (origins & LIMITS) !== 0 && (origins & ORIGIN.harmlessEnding) !== 0;
  if (walk.reporting && !walk.isAdministered && !isDocument) walk.requestFiles.add(name);
}
