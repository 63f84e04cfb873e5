import type { Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Tokens of a time that is worked out. */
const TIME_TOKENS_MAX = 24;

/** Notes that a file deletes itself as soon as it is called. */
export function noteDelete(walk: Walk, [path]: readonly Value[]): void {
  if (walk.scope === '' && path?.text === '__FILE__') walk.noted.deletesItself = true;
}

/** Notes that the time of a file is set to one in the past: something is taken from now. */
export function noteTouch(walk: Walk): void {
  const before = walk.tokens.slice(Math.max(0, walk.position - TIME_TOKENS_MAX), walk.position);
  const now = before.findLastIndex(({ text }) => text === 'time');
  if (now >= 0 && before[now + 3]?.text === '-') walk.noted.setsBack = true;
}
