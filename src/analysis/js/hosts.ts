import type { JsToken } from './lexer.ts';

export const FOREIGN = /^(?:(?:https?|wss?):)?\/\/[\w-]+(?:\.[\w-]+)+/i;
/** URLs that are identifiers, never requested. */
const NAMING = /\/\/(?:www\.)?(?:w3\.org|schema\.org|ns\.adobe|xmlns)/i;

/** A host with a path, without a scheme. */
const HOST_AND_PATH = /^(?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\/[\w./?=&-]*$/i;

/** Whether a token is the URL of another host, or such a URL without its scheme. */
export function isForeign(tokens: readonly JsToken[], at: number): boolean {
  const { kind, text } = tokens[at] as JsToken;
  if (kind === 'name' || kind === 'sign' || text.length >= 400) return false;
  if (FOREIGN.test(text)) return !NAMING.test(text);
  return kind === 'string' && tokens[at - 1]?.text === '+' && HOST_AND_PATH.test(text);
}
