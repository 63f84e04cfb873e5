import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** The file of an upload is moved to a place that the second value names. */
export function judgeUpload(walk: Walk, [, target]: readonly (Value | undefined)[], at: number): void {
  const origins = target?.origins ?? ORIGIN.none;
  walk.noteParameter('upload', origins);
  // The callers of a library decide what to store and where.
  if (walk.scope !== '' && (!walk.facts.has('readsRequest') || origins & ORIGIN.parameter)) return;
  storeUpload(walk, target, at);
}

/** An upload is stored, under a name that the request may bring. */
export function storeUpload(walk: Walk, target: Value | undefined, at: number): void {
  const origins = target?.origins ?? ORIGIN.none;
  const isOpen = (origins & ORIGIN.request) !== 0 && !(origins & ORIGIN.harmlessEnding);
  if (walk.facts.has('checksUploads')) return;
  walk.report(isOpen ? PHP.uploadOpen : PHP.uploadHere, at);
  if (isOpen && !walk.isAdministered) walk.note('storesUpload', at);
}

/** The file of an upload can be moved like any other, from where PHP keeps it: no name is put together for that. */
export function judgeMove(walk: Walk, args: readonly (Value | undefined)[], at: number): void {
  const origins = args[0]?.origins ?? ORIGIN.none;
  if (origins & ORIGIN.upload && !(origins & ORIGIN.partial)) judgeUpload(walk, args, at);
}

/** The same to another host by FTP, where the path comes second. */
export const judgePut = (walk: Walk, [, to = UNKNOWN, path = UNKNOWN]: readonly Value[], at: number): void =>
  judgeMove(walk, [path, to], at);
