import type { JsToken } from './lexer.ts';

export const FOREIGN = /^(?:(?:https?|wss?):)?\/\/[\w-]+(?:\.[\w-]+)+/i;
/** Hosts that stand in texts as names, not to be asked. */
const NAMING = /\/\/(?:www\.)?(?:w3\.org|schema\.org|ns\.adobe|xmlns)/i;

/** A host and a path, to be put behind a scheme. */
const HOST_AND_PATH = /^(?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\/[\w./?=&-]*$/i;

/** Whether a token is the address of another host, or of a host that something is put before. */
export function isForeign(tokens: readonly JsToken[], at: number): boolean {
  const { kind, text } = tokens[at] as JsToken;
  if (kind === 'name' || kind === 'sign' || text.length >= 400) return false;
  if (FOREIGN.test(text)) return !NAMING.test(text);
  return kind === 'string' && tokens[at - 1]?.text === '+' && HOST_AND_PATH.test(text);
}
