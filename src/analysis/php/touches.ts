import { ORIGIN } from '../origin.ts';
import { isUrl } from './operators.ts';
import { PHP } from './signals.ts';
import { asOne, originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** A function that reads, changes or lists files is given a path. */
export function judgeFile(walk: Walk, name: string, args: readonly Value[], at: number): void {
  const path =
    name === 'rename' || name === 'copy' || name === 'symlink' ? asOne(args) : (args[0] ?? UNKNOWN);
  const origins = originsOf(path);
  // What another host is asked for is no file here.
  if (isUrl(path) && !(origins & ORIGIN.leading)) return;
  walk.noteParameter('file', origins);
  if (/^\/etc\/(?:passwd|shadow)$/.test(path.text ?? '')) walk.report(PHP.readsAccounts, at);
  if (origins & ORIGIN.request && !(origins & ORIGIN.upload)) touchFile(walk, name, at, origins);
}

/** What limits which file the request can name: a part of the program's own, no separators. */
const LIMITS = ORIGIN.partial | ORIGIN.flat;

/** A file or folder is touched that the request names. */
export function touchFile(walk: Walk, name: string, at: number, origins: number = ORIGIN.request): void {
  // The time of a file tells nothing and changes nothing.
  const isLimited = name === 'touch' || (origins & LIMITS) !== 0;
  walk.report(isLimited ? PHP.filesRequestPart : PHP.filesRequest, at);
  // Who can only name documents manages no files.
  const isDocument = (origins & LIMITS) !== 0 && (origins & ORIGIN.harmlessEnding) !== 0;
  if (walk.reporting && !walk.isAdministered && !isDocument) walk.requestFiles.add(name);
}
