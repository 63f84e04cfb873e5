import { tokensFrom } from './arguments.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Tokens of a time that is worked out. */
const TIME_TOKENS_MAX = 24;
/** By which a file names itself where its value is not known: `basename($_SERVER['PHP_SELF'])`. */
const OF_ITSELF = /^(?:SCRIPT_FILENAME|PHP_SELF|SCRIPT_NAME)$/;

/** Notes that a file deletes itself as soon as it is called. */
export function noteDelete(walk: Walk, [path]: readonly Value[], at: number): void {
  const names = path?.text === '__FILE__' || tokensFrom(walk, 0).some(({ text }) => OF_ITSELF.test(text));
  if (walk.scope === '' && names) walk.note('deletesItself', at);
}

/** Notes that the time of a file is set to one in the past: something is taken from now. */
export function noteTouch(walk: Walk, _: readonly Value[], at: number): void {
  const before = walk.tokens.slice(Math.max(0, walk.position - TIME_TOKENS_MAX), walk.position);
  const now = before.findLastIndex(({ text }) => text === 'time');
  if (now >= 0 && before[now + 3]?.text === '-') walk.note('setsTimesBack', at);
}

const RESTORED = /\.suspected$/;
/** Commands that rename such files. */
const RESTORES = /\bmv\b[^\n]{0,200}suspected|suspected[^\n]{0,200}\bmv\b/;

/** Notes that a file is renamed which a scanner or a host has put out of use. */
export function noteRename(walk: Walk, [from, to]: readonly Value[], at: number): void {
  const [last] = tokensFrom(walk, 1)
    .toReversed()
    .filter(({ kind }) => kind === 'string');
  const isPutOut =
    RESTORED.test(to?.text ?? '') || (to?.text === undefined && last?.text === '.suspected' && !cuts(walk));
  const names =
    RESTORED.test(from?.text ?? '') || walk.tokens.some(({ text }) => /\.suspected\$?\/?i?$/.test(text));
  if (names && !isPutOut) walk.note('restoresSuspected', at);
}

/** Whether the new name is the old one without its ending. */
const cuts = (walk: Walk): boolean =>
  tokensFrom(walk, 1).some(({ kind, text }) => kind === 'name' && CUTS.has(text));
const CUTS = new Set(['str_replace', 'substr', 'preg_replace', 'rtrim', 'basename', 'strstr', 'explode']);

/** A program in the folder of the file or in one that everybody may write to, or that is left to itself. */
const STARTS = /(?:^|[;&|]\s{0,3})(?:nohup\s|\.\/|\/(?:tmp|dev\/shm|var\/tmp)\/)|&\s{0,3}$|&&\s{0,3}\.\//;

/** Notes what a command does that counts only together with others. */
export function noteCommand(walk: Walk, command: string, at: number): void {
  if (STARTS.test(command)) walk.note('startsProgram', at);
  if (RESTORES.test(command)) walk.note('restoresSuspected', at);
}
