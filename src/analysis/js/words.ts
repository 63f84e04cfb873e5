import type { JsToken } from './lexer.ts';

/** The words of a script, so that judges need not visit all tokens. */
export interface Words {
  /** All names, and whether a judge examines them. */
  readonly names: ReadonlyMap<string, boolean>;
  /** Indices of texts, patterns and examined names, ascending. */
  readonly telling: readonly number[];
}

/** Indexes a script for all judges; `acting` are the names that they examine. */
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
