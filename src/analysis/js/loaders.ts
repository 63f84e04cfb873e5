import type { Report } from './calls.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';

export const FOREIGN = /^(?:(?:https?|wss?):)?\/\/[\w-]+(?:\.[\w-]+)+/i;
/** Hosts that stand in texts as names, not to be asked. */
const NAMING = /\/\/(?:www\.)?(?:w3\.org|schema\.org|ns\.adobe|xmlns)/i;
const CHECKOUT = /check-?out|one-?(?:page|step)|onestep|firecheckout|place[-_]?order|\bpayment\b/i;
const PLACE_OF_PAGE = new Set(['location', 'href', 'pathname', 'URL', 'documentURI', 'baseURI']);
const NEAR_TOKENS = 120;
const FETCHES = new Set(['fetch', 'XMLHttpRequest', 'get', 'ajax', 'axios', 'post', 'getJSON']);
const RUNNERS = new Set(['eval', 'Function']);
const SHOWS = new Set(['text', 'textContent', 'innerHTML']);
const THEN_TOKENS = 60;
/** Names that the judge of loaders acts at. */
export const LOADER_WORDS = [...PLACE_OF_PAGE, ...FETCHES, ...RUNNERS, ...SHOWS, 'src', 'import'];

/** A host and a path, to be put behind a scheme. */
const HOST_AND_PATH = /^(?:\/\/)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,12}\/[\w./?=&-]*$/i;

/** Whether a token is the address of another host, or of a host that something is put before. */
export function isForeign(tokens: readonly JsToken[], at: number): boolean {
  const { kind, text } = tokens[at] as JsToken;
  if (kind === 'name' || kind === 'sign' || text.length >= 400) return false;
  if (FOREIGN.test(text)) return !NAMING.test(text);
  return kind === 'string' && tokens[at - 1]?.text === '+' && HOST_AND_PATH.test(text);
}

const NEVER = Number.NEGATIVE_INFINITY;

/** Judges scripts that are put into a page, and answers of other hosts that are run. */
export function judgeLoaders(tokens: readonly JsToken[], telling: readonly number[], report: Report): void {
  let placeAt = NEVER;
  let checkoutAt = NEVER;
  let scriptAt = NEVER;
  let foreignAt = NEVER;
  let fetchAt = NEVER;
  for (const at of telling) {
    const token = tokens[at] as JsToken;
    const { kind, text } = token;
    if (kind !== 'name') {
      if (text.length < 400 && CHECKOUT.test(text)) checkoutAt = at;
      if (isForeign(tokens, at)) foreignAt = at;
      if (text.toLowerCase() === 'script') scriptAt = at;
      continue;
    }
    const next = tokens[at + 1]?.text;
    if (PLACE_OF_PAGE.has(text)) placeAt = at;
    if (FETCHES.has(text)) fetchAt = at;
    if (
      text === 'src' &&
      (next === '=' || next === ':') &&
      at - Math.min(placeAt, checkoutAt, scriptAt) < NEAR_TOKENS
    ) {
      if (tokens[at + 2] && isForeign(tokens, at + 2)) report(JS.checkoutScript, token.at);
    }
    if (text === 'import' && next === '(' && at - Math.min(placeAt, checkoutAt) < NEAR_TOKENS)
      if (tokens[at + 2] && isForeign(tokens, at + 2)) report(JS.checkoutScript, token.at);
    const isRun = RUNNERS.has(text) && next === '(';
    const isPassed =
      RUNNERS.has(text) && tokens[at - 1]?.text === '(' && tokens[at - 2]?.text === 'then' && next === ')';
    const isText = SHOWS.has(text) && next === '=' && at - scriptAt < 20;
    const isOfAnswer = at - fetchAt < THEN_TOKENS && tokens[at + 2]?.kind === 'name';
    if (at - foreignAt < THEN_TOKENS && (isPassed || ((isRun || isText) && isOfAnswer)))
      report(JS.runReceived, token.at);
  }
}
