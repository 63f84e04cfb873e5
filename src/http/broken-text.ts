import { ownTurn } from '../lib/own-turn.ts';
import { isWholeText } from '../lib/whole-text.ts';

const VALUES_PER_TURN = 5_000;

/** JSON can contain NUL or a lone surrogate only as an escape: unescaped, NUL is invalid JSON and a surrogate invalid UTF-8. */
const ESCAPE = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether JSON may contain a text that cannot be stored unchanged. Most JSON has no such escape, so its values need no check.
 * The plain search comes first because the expression takes a hundred times as long until the engine has compiled it.
 */
export const mayHoldBrokenText = (json: string): boolean => json.includes('\\u') && ESCAPE.test(json);

interface Level {
  readonly entries: readonly (readonly [string, unknown])[];
  at: number;
}

/**
 * Finds a text or a name that cannot be stored unchanged. Yields to the event loop after every few thousand values.
 *
 * @param exempt path of the field that may contain any text, `*` for any name
 * @returns the path of the text; undefined if there is none
 */
export async function placeOfBrokenText(
  body: object,
  exempt?: readonly string[],
): Promise<readonly string[] | undefined> {
  const levels: Level[] = [{ entries: Object.entries(body), at: 0 }];
  const here = () => levels.map(({ entries, at }) => entries[at - 1]?.[0] ?? '');
  const isExempt = () =>
    levels.length === exempt?.length &&
    here().every((name, depth) => exempt[depth] === '*' || exempt[depth] === name);
  let seen = 0;
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const [name, value] = level.entries[level.at++] ?? [];
    if (name === undefined) {
      levels.pop();
      continue;
    }
    const isBroken = !isWholeText(name) || (typeof value === 'string' && !isWholeText(value));
    if (isBroken && !isExempt()) return here();
    if (typeof value === 'object' && value !== null) levels.push({ entries: Object.entries(value), at: 0 });
    if (++seen % VALUES_PER_TURN === 0) await ownTurn();
  }
  return undefined;
}
