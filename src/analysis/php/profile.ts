import { decodeBase64, inflate } from '../decode.ts';
import { WHOLE } from '../place.ts';
import { wordsIn } from '../words.ts';
import { namesBrand } from './brands.ts';
import { judgeEncoder } from './encoders.ts';
import { ABILITIES, type Ability, RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { CREDENTIALS, DEFACEMENT, DEFACEMENT_BESIDE, SEARCH_BOTS, TRADE_WORDS, WORDS } from './markers.ts';
import { judgeNeighbours } from './neighbours.ts';
import { FRAMEWORK } from './ordinary.ts';
import { type Overview, overviewOf } from './overview.ts';
import { judgeReadability } from './readability.ts';
import { INFLATE_COST_CHARS } from './reader.ts';
import { PHP } from './signals.ts';
import type { PhpSurface, PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

/** Code in a text: an opening tag, or a call with request data. */
const CODE =
  /<\?php\s|\b(?:eval|assert|system|exec|passthru|shell_exec|popen)\s*\(\s*\$_(?:GET|POST|REQUEST|COOKIE)/;
const CODE_TEXTS_MAX = 20;
const containsCode = (text: string): boolean =>
  (text.includes('<?php') || text.includes('$_')) && CODE.test(text);

const ENCODED_CHARS_MIN = 24;
const ENCODED = /^[A-Za-z0-9+/=\s]{24,}$/;

/** Analyses code in the texts of a file, plain or encoded, which may be written or run. */
function readCodeInTexts(walk: Walk, { texts, isSample }: Overview): void {
  let read = 0;
  for (const { kind, text, at } of texts) {
    if ((kind !== 'string' && kind !== 'template') || text.length <= 10 || read >= CODE_TEXTS_MAX) continue;
    const isPlain = !isSample && containsCode(text);
    const code = isPlain ? text : decodedCode(walk, text);
    if (code === undefined || !walk.spend(code.length)) continue;
    read++;
    walk.report(isPlain ? PHP.codeInText : PHP.hiddenCode, at);
    walk.shared.readLayer(code, walk.whereOf(at));
  }
}

/** Decodes code hidden by base64, optionally compressed; undefined if there is none. */
function decodedCode(walk: Walk, text: string): string | undefined {
  if (text.length < ENCODED_CHARS_MIN || !ENCODED.test(text.slice(0, 200)) || !walk.spend(text.length))
    return undefined;
  const decoded = decodeBase64(text);
  if (containsCode(decoded)) return decoded;
  if (text.length < 100 || !walk.spend(INFLATE_COST_CHARS)) return undefined;
  const inflated = inflate(decoded, 'any');
  return inflated !== undefined && containsCode(inflated) ? inflated : undefined;
}

const MD5_OR_SHA1 = /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/i;

/** Judges a file as a whole: its abilities, its words and how readable it is. */
export function judgeFile(walk: Walk, surface: PhpSurface, source: string): void {
  const overview = overviewOf(surface, source);
  readCodeInTexts(walk, overview);
  judgeAbilities(walk, overview);
  judgeNeighbours(walk, surface.tokens, overview);
  judgeWords(walk, surface, overview);
  judgeReadability(walk, surface, source, overview);
  judgeEncoder(walk, surface.tokens);
}

const total = (walk: Walk, names: ReadonlySet<string>): number => {
  let distinct = 0;
  const calls = walk.calls;
  if (calls.size < names.size) {
    for (const name of calls.keys()) if (names.has(name)) distinct++;
  } else for (const name of names) if (calls.has(name)) distinct++;
  return distinct;
};

/** Minimum number of distinct functions for an ability. */
const DISTINCT_MIN: Readonly<Partial<Record<Ability, number>>> = {
  folders: 3,
  changes: 2,
  cover: 2,
  databases: 2,
  limits: 1,
};

/** Functions for interactive commands. */
const INTERACTIVE = ['proc_open', 'popen', 'pcntl_fork', 'pcntl_exec', 'shell_exec', 'passthru'];

function judgeAbilities(walk: Walk, overview: Overview): void {
  const { texts, isSample, commands: named, unreadable, documented, functions } = overview;
  const has = (Object.keys(ABILITIES) as Ability[]).filter(
    (ability) => total(walk, ABILITIES[ability]) >= (DISTINCT_MIN[ability] ?? 1),
  );
  const isDriven = walk.facts.has('readsRequest');
  const commands = total(walk, RUNS_COMMAND);
  if (walk.requestFiles.size >= 3) walk.report(PHP.fileManager, WHOLE);
  if (isDriven && total(walk, ABILITIES.host) >= 2) walk.report(PHP.reconnaissance, WHOLE);
  if (isDriven && has.length >= 6) walk.report(PHP.shellProfile, WHOLE);
  else if (isDriven && has.length >= 4) walk.report(PHP.partialProfile, WHOLE);
  if (
    walk.facts.has('runsOwnCommand') &&
    has.includes('sockets') &&
    INTERACTIVE.some((name) => walk.calls.has(name))
  )
    walk.report(PHP.socketShell, WHOLE);
  if ((isDriven && commands >= 3) || named >= FALLBACKS_MIN) walk.report(PHP.execFallbacks, WHOLE);
  // Counted only if the ability is not already part of the profile.
  if (has.includes('cover') && !(isDriven && has.length >= 6)) walk.report(PHP.silenced, WHOLE);
  if (isDriven && HASHES.some((name) => walk.calls.has(name)) && isGated(texts))
    walk.report(PHP.passwordGate, WHOLE);
  if (walk.facts.has('makesAccount') && namesAdministrator(texts)) {
    walk.report(PHP.administratorMade, walk.placeOf('makesAccount'));
    if (walk.facts.has('makesKnownAccount'))
      walk.report(PHP.administratorKnown, walk.placeOf('makesKnownAccount'));
  }
  // Most of a file's functions carry the documentation that libraries have.
  if (documented >= 3 && documented >= functions * 0.5) walk.report(PHP.documented, WHOLE);
  // At most one of these, so that several do not outweigh a clear finding.
  if ([...FRAMEWORK].filter((name) => walk.calls.has(name)).length >= 2) walk.report(PHP.framework, WHOLE);
  else if (isSample) walk.report(PHP.tested, WHOLE);
  else if (!walk.facts.has('actsOutside') && unreadable === undefined && functions > 0)
    walk.report(PHP.definitions, WHOLE);
  else if (!isDriven && overview.takesArguments) walk.report(PHP.commandLine, WHOLE);
}

const namesAdministrator = (texts: readonly PhpToken[]): boolean =>
  texts.some(({ kind, text }) => kind === 'string' && text.includes('administrator'));

/** Functions that search the user agent for names. */
const LOOKS_FOR_NAMES = 'getenv preg_match eregi strpos stripos strstr stristr substr_count in_array'.split(
  ' ',
);

const FALLBACKS_MIN = 4;
/** Functions that compare passwords. */
const HASHES = ['md5', 'sha1', 'hash', 'crypt', 'hash_equals'];
const isGated = (texts: readonly PhpToken[]): boolean =>
  texts.some(({ kind, text }) => kind === 'string' && MD5_OR_SHA1.test(text));

/** Security scanners that phishing kits block by name. */
const WATCHERS =
  'phishtank netcraft kaspersky avast bitdefender fortinet mcafee trendmicro spamhaus virustotal websense barracuda messagelabs cyveillance opendns openphish urlscan cloudmark markmonitor'.split(
    ' ',
  );
const WATCHERS_MIN = 4;

const HARMS = [
  RUNS_COMMAND,
  RUNS_CODE,
  ABILITIES.changes,
  ABILITIES.uploads,
  ABILITIES.sockets,
  ABILITIES.mail,
] as const;

/** Whether a file can act like a web shell; others only name one, in a list, a setting or a help text. */
const canHarm = (walk: Walk): boolean =>
  walk.facts.has('readsRequest') ||
  walk.facts.has('runsCode') ||
  HARMS.some((names) => total(walk, names) > 0);

function judgeWords(walk: Walk, { comments }: PhpSurface, overview: Overview): void {
  const { texts, commands } = overview;
  const hides = overview.unreadable !== undefined;
  const text = [...texts, ...comments]
    .map((piece) => piece.text)
    .join('\n')
    .toLowerCase();
  // Command functions tried in turn are counted separately.
  const counted = commands >= FALLBACKS_MIN ? wordsIn(text, ['shell_exec', 'passthru']) : 0;
  const words = wordsIn(text, WORDS) - counted;
  // The harmful code may be in the hidden text.
  const isAble = hides || canHarm(walk);
  if (namesBrand(text)) walk.report(isAble ? PHP.brand : PHP.brandAlone, WHOLE);
  else if (isAble && wordsIn(text, TRADE_WORDS) > 0) walk.report(PHP.tradeWord, WHOLE);
  if (words >= 5 && (hides || walk.facts.has('readsRequest') || walk.facts.has('runsCode')))
    walk.report(PHP.marker, WHOLE);
  if (words >= 10) walk.report(PHP.markers, WHOLE);
  if (walk.calls.has('mail') && walk.facts.has('readsRequest') && wordsIn(text, CREDENTIALS) >= 3)
    walk.report(PHP.mailCredentials, WHOLE);
  const boasts = wordsIn(text, DEFACEMENT);
  if (boasts >= 1 && boasts + wordsIn(text, DEFACEMENT_BESIDE) >= 2) walk.report(PHP.defacement, WHOLE);
  const asksWho = walk.facts.has('readsVisitor') || walk.calls.has('gethostbyaddr');
  const refuses = walk.calls.has('header') || walk.calls.has('http_response_code') || text.includes('404');
  if (asksWho && refuses && wordsIn(text, WATCHERS) >= WATCHERS_MIN) walk.report(PHP.watchersRefused, WHOLE);
  // A list of names alone does not identify visitors.
  const identifiesVisitors =
    walk.facts.has('readsVisitor') ||
    walk.facts.has('readsRequest') ||
    LOOKS_FOR_NAMES.some((name) => walk.calls.has(name));
  if (identifiesVisitors && wordsIn(text, SEARCH_BOTS) >= 3) walk.report(PHP.cloaking, WHOLE);
}
