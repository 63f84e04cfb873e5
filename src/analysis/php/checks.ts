import { GUARDED_BY } from './functions.ts';
import type { Walk } from './walk.ts';

const ENDS = new Set(['die', 'exit', 'wp_die']);

/**
 * Notes a top-level check that ends the request for unauthorised callers: `if (!current_user_can(...)) die`.
 *
 * @param start index of the arguments' opening parenthesis; the walk is after them
 */
export function noteRefusal(walk: Walk, name: string, start: number): void {
  if (walk.scope !== '' || walk.branches > 0 || GUARDED_BY.get(name) !== 'capability') return;
  const before = walk.tokens.slice(Math.max(0, start - 4), start - 1).map(({ text }) => text);
  const ending = walk.tokens[walk.position + (walk.isOperator('{', 1) ? 2 : 1)];
  if (before.join(' ') !== 'if ( !' || !walk.isOperator(')') || !ENDS.has(ending?.text ?? '')) return;
  walk.refusesOthers = true;
  walk.noteChecks();
}
