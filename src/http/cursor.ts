import { refuse } from '../domain/refusal.ts';

const CURSOR_CHARACTERS_MAX = 64;

/**
 * Where the next page of a list begins, in a form that callers need not understand. It grants nothing: whose
 * rows they are is decided by the key alone.
 */
export const encodeCursor = (list: string, position: number): string =>
  Buffer.from(`${list}:${position}`).toString('base64url');

/** @throws Refusal for a cursor that this list did not give out */
export function decodeCursor(list: string, cursor: string): number {
  const text = cursor.length > CURSOR_CHARACTERS_MAX ? '' : Buffer.from(cursor, 'base64url').toString();
  const [, of, position] = /^([a-z]+):(\d{1,15})$/.exec(text) ?? [];
  if (of !== list) throw refuse('INVALID_QUERY', 'cursor: was not given out by this list');
  return Number(position);
}
