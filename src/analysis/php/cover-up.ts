import { tokensFrom } from './arguments.ts';
import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Tokens searched for a computed time. */
const TIME_TOKENS_MAX = 24;
/** Server variables with a file's own path: `basename($_SERVER['PHP_SELF'])`. */
const OF_ITSELF = /^(?:SCRIPT_FILENAME|PHP_SELF|SCRIPT_NAME)$/;

/** Notes a file that deletes itself when it is called. */
export function noteDelete(walk: Walk, [path]: readonly Value[], at: number): void {
  const names = path?.text === '__FILE__' || tokensFrom(walk, 0).some(({ text }) => OF_ITSELF.test(text));
  if (walk.scope === '' && names) walk.note('deletesItself', at);
}

/** Notes a modification time set in the past: a subtraction from now. */
export function noteTouch(walk: Walk, _: readonly Value[], at: number): void {
  const before = walk.tokens.slice(Math.max(0, walk.position - TIME_TOKENS_MAX), walk.position);
  const now = before.findLastIndex(({ text }) => text === 'time');
  if (now >= 0 && before[now + 3]?.text === '-') walk.note('setsTimesBack', at);
}

const RESTORED = /\.suspected$/;
/** Commands that rename such files. */
const RESTORES = /\bmv\b[^\n]{0,200}suspected|suspected[^\n]{0,200}\bmv\b/;

/** Notes the renaming of a file that a scanner or host disabled. */
export function noteRename(walk: Walk, [from, to]: readonly Value[], at: number): void {
  const [last] = tokensFrom(walk, 1)
    .toReversed()
    .filter(({ kind }) => kind === 'string');
  const isDisabled =
    RESTORED.test(to?.text ?? '') ||
    (to?.text === undefined && last?.text === '.suspected' && !removesExtension(walk));
  const names =
    RESTORED.test(from?.text ?? '') || walk.tokens.some(({ text }) => /\.suspected\$?\/?i?$/.test(text));
  if (names && !isDisabled) walk.note('restoresSuspected', at);
}

/** Whether the new name is the old one without its extension. */
const removesExtension = (walk: Walk): boolean =>
  tokensFrom(walk, 1).some(({ kind, text }) => kind === 'name' && CUTTING.has(text));
const CUTTING = new Set(['str_replace', 'substr', 'preg_replace', 'rtrim', 'basename', 'strstr', 'explode']);

/** A program in the current or a world-writable folder, or one started in the background. */
const STARTS = /(?:^|[;&|]\s{0,3})(?:nohup\s|\.\/|\/(?:tmp|dev\/shm|var\/tmp)\/)|&\s{0,3}$|&&\s{0,3}\.\//;

/** Notes effects of a command that count only in combination. */
export function noteCommand(walk: Walk, command: string, at: number): void {
  if (STARTS.test(command)) walk.note('startsProgram', at);
  if (RESTORES.test(command)) walk.note('restoresSuspected', at);
}
