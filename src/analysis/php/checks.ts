import { GUARDED_BY } from './functions.ts';
import type { Walk } from './walk.ts';

const ENDS = new Set(['die', 'exit', 'wp_die']);

/**
 * Notes that the file ends for callers who may not do what it does: `if (!current_user_can(...)) die`, outside of functions.
 *
 * @param start where the arguments begin, with their parenthesis; the walk is behind them
 */
export function noteRefusal(walk: Walk, name: string, start: number): void {
  if (walk.scope !== '' || walk.branches > 0 || GUARDED_BY.get(name) !== 'capability') return;
  const before = walk.tokens.slice(Math.max(0, start - 4), start - 1).map(({ text }) => text);
  const ending = walk.tokens[walk.position + (walk.isOperator('{', 1) ? 2 : 1)];
  if (before.join(' ') !== 'if ( !' || !walk.isOperator(')') || !ENDS.has(ending?.text ?? '')) return;
  walk.refusesOthers = true;
  walk.noteChecks();
}
