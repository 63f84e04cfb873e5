import { CALL_WORDS } from './calls.ts';
import { TEXT_WORDS } from './fold.ts';
import type { JsToken } from './lexer.ts';
import { LOADER_WORDS } from './loaders.ts';
import { OBFUSCATOR_WORDS } from './obfuscators.ts';
import { SINK_WORDS } from './sinks.ts';
import { PLACE_WORDS } from './visitors.ts';

/** What a script is judged by, so that each judge need not go through all of its tokens. */
export interface Words {
  /** Every name of the script, and whether it tells a judge anything. */
  readonly names: ReadonlyMap<string, boolean>;
  /** Where texts, patterns and telling names stand among the tokens, in their order. */
  readonly telling: readonly number[];
}

/** Names that a judge acts at. Each of them has a list of its own. */
const TELLING: ReadonlySet<string> = new Set([
  ...CALL_WORDS,
  ...TEXT_WORDS,
  ...LOADER_WORDS,
  ...OBFUSCATOR_WORDS,
  ...SINK_WORDS,
  ...PLACE_WORDS,
]);

/** Looks over a script once for all of its judges. */
export function wordsOf(tokens: readonly JsToken[]): Words {
  const names = new Map<string, boolean>();
  const telling: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' || kind === 'number') continue;
    if (kind === 'name') {
      let tells = names.get(text);
      if (tells === undefined) {
        tells = TELLING.has(text);
        names.set(text, tells);
      }
      if (!tells) continue;
    }
    telling.push(at);
  }
  return { names, telling };
}
