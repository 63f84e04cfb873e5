import { ORIGIN } from '../origin.ts';
import { PHP } from './signals.ts';
import { originsOf, UNKNOWN, type Value } from './value.ts';
import type { Walk } from './walk.ts';

/** Content types that browsers do not display as a page. */
const DATA_TYPE = /^content-type:\s*(?:application\/json|image\/)/i;
const AWAY = /^\s{0,4}(?:Location|Refresh)\s{0,4}:[\s\S]{0,20}https?:\/\//i;
const SEARCHES = /google|bing|yahoo|yandex|baidu|duckduckgo/i;
/** Limits of the search for a redirect's condition: tokens before it, and characters of a text. */
const CONDITION_TOKENS_MAX = 100;
const CONDITION_CHARS_MAX = 300;

/** Judges a header: a redirect, or the type of the output. */
export function judgeHeader(walk: Walk, [first = UNKNOWN]: readonly Value[], at: number): void {
  const origins = originsOf(first);
  if (origins & (ORIGIN.disguised | ORIGIN.remote) && !(origins & ORIGIN.request)) {
    walk.report(PHP.headerHidden, at);
    if (origins & ORIGIN.markup) walk.note('showsRemote');
  }
  const { text = '' } = first;
  if (AWAY.test(text.slice(0, CONDITION_CHARS_MAX))) walk.note('sendsAway', at);
  if (DATA_TYPE.test(text)) walk.note('answersData');
  if (walk.reporting && walk.facts.has('readsVisitor') && AWAY.test(text.slice(0, CONDITION_CHARS_MAX)))
    judgeAway(walk, at);
}

/** Judges wp_redirect. Payment plugins legitimately redirect to a URL in a field of a response. */
export function judgeAwayBySite(walk: Walk, args: readonly Value[], at: number): void {
  const origins = originsOf(args[0] ?? UNKNOWN);
  if (origins & (ORIGIN.markup | ORIGIN.decoded)) judgeHeader(walk, args, at);
}

/** Reports redirects that depend on the name of a search engine. */
function judgeAway(walk: Walk, at: number): void {
  let isByReferrer = false;
  let isByAgent = false;
  let isBySearch = false;
  for (const { kind, text } of walk.tokens.slice(
    Math.max(0, walk.position - CONDITION_TOKENS_MAX),
    walk.position,
  )) {
    if (kind !== 'string' && kind !== 'template') continue;
    if (text === 'HTTP_REFERER') isByReferrer = true;
    else if (text === 'HTTP_USER_AGENT') isByAgent = true;
    else if (text.length < CONDITION_CHARS_MAX && SEARCHES.test(text)) isBySearch = true;
  }
  if (!isBySearch) return;
  if (isByReferrer) walk.report(PHP.redirectVisitors, at);
  else if (isByAgent) walk.report(PHP.redirectByAgent, at);
}
