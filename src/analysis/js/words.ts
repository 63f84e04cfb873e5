import type { JsToken } from './lexer.ts';

/** What a script is judged by, so that each judge need not go through all of its tokens. */
export interface Words {
  /** Every name of the script, and whether it tells a judge anything. */
  readonly names: ReadonlyMap<string, boolean>;
  /** Where texts, patterns and telling names stand among the tokens, in their order. */
  readonly telling: readonly number[];
}

/** Looks over a script once for all of its judges; `acting` are the names that one of them acts at. */
export function wordsOf(tokens: readonly JsToken[], acting: ReadonlySet<string>): Words {
  const names = new Map<string, boolean>();
  const telling: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' || kind === 'number') continue;
    if (kind === 'name') {
      let tells = names.get(text);
      if (tells === undefined) {
        tells = acting.has(text);
        names.set(text, tells);
      }
      if (!tells) continue;
    }
    telling.push(at);
  }
  return { names, telling };
}
