import { ownTurn } from '../lib/own-turn.ts';
import { isWholeText } from '../lib/whole-text.ts';

const VALUES_PER_TURN = 5_000;

/** Only so can JSON hold NUL or half of a surrogate pair: raw, the one is malformed and the other no UTF-8. */
const ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether JSON may contain a text that cannot be stored unchanged. Most JSON has no such escape, so its values need no check.
 * Without its compiler, the engine takes a hundred times as long for an expression as for a plain text.
 */
export const mayHoldBrokenText = (json: string): boolean => json.includes('\\u') && ESCAPE.test(json);

interface Level {
  readonly entries: readonly (readonly [string, unknown])[];
  at: number;
}

/**
 * Finds a text that cannot be kept as it is, or a name that is one. Looks at some of the values in each turn of the event loop.
 *
 * @param spared names that lead to fields which may hold anything, `*` for any name
 * @returns the names that lead to it; undefined where there is none
 */
export async function placeOfBrokenText(
  body: object,
  spared?: readonly string[],
): Promise<readonly string[] | undefined> {
  const levels: Level[] = [{ entries: Object.entries(body), at: 0 }];
  const here = () => levels.map(({ entries, at }) => entries[at - 1]?.[0] ?? '');
  const isSpared = () =>
    levels.length === spared?.length &&
    here().every((name, depth) => spared[depth] === '*' || spared[depth] === name);
  let seen = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const [name, value] = level.entries[level.at++] ?? [];
    if (name === undefined) {
      levels.pop();
      continue;
    }
    const isBroken = !isWholeText(name) || (typeof value === 'string' && !isWholeText(value));
    if (isBroken && !isSpared()) return here();
    if (typeof value === 'object' && value !== null) levels.push({ entries: Object.entries(value), at: 0 });
    if (++seen % VALUES_PER_TURN === 0) await ownTurn();
  }
  return undefined;
}
