import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Judges an upload that is moved to the second argument. */
export function judgeUpload(walk: Walk, [, target]: readonly (Value | undefined)[], at: number): void {
  const origins = target?.origins ?? ORIGIN.none;
  walk.noteParameter('upload', origins);
  // The callers of a library choose the source and the target.
  if (walk.scope !== '' && (!walk.facts.has('readsRequest') || origins & ORIGIN.parameter)) return;
  storeUpload(walk, target, at);
}

/** Judges a stored upload by the origin of its name. */
export function storeUpload(walk: Walk, target: Value | undefined, at: number): void {
  const origins = target?.origins ?? ORIGIN.none;
  const isOpen = (origins & ORIGIN.request) !== 0 && !(origins & ORIGIN.harmlessEnding);
  if (walk.facts.has('checksUploads')) return;
  walk.report(isOpen ? PHP.uploadOpen : PHP.uploadHere, at);
  if (isOpen && !walk.isAdministered) walk.note('storesUpload', at);
}

/** Judges moving an upload from its temporary file, whose path is used unchanged. */
export function judgeMove(walk: Walk, args: readonly (Value | undefined)[], at: number): void {
  const origins = args[0]?.origins ?? ORIGIN.none;
  if (origins & ORIGIN.upload && !(origins & ORIGIN.partial)) judgeUpload(walk, args, at);
}

/** Judges an upload sent to an FTP server; the path is the third argument. */
export const judgePut = (walk: Walk, [, to = UNKNOWN, path = UNKNOWN]: readonly Value[], at: number): void =>
  judgeMove(walk, [path, to], at);
