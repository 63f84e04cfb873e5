import { decodeBase64, inflate } from '../decode.ts';
import { WHOLE } from '../place.ts';
import { shareOf, wordsIn } from '../words.ts';
import { ABILITIES, type Ability, RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { BRANDS, CREDENTIALS, DEFACEMENT, SEARCH_BOTS, TRADE_WORDS, WORDS } from './markers.ts';
import { PHP } from './signals.ts';
import type { PhpSurface, PhpToken } from './token.ts';
import type { Walk } from './walk.ts';

const GUARDS = new Set([
  'current_user_can',
  'check_admin_referer',
  'wp_verify_nonce',
  'check_ajax_referer',
  'add_action',
  'add_filter',
  'apply_filters',
  '__',
  'esc_html',
  'esc_attr',
  'register_rest_route',
]);
/** Code in a text: an opening tag, or a call that takes the request. */
const CODE =
  /<\?php\s|\b(?:eval|assert|system|exec|passthru|shell_exec|popen)\s*\(\s*\$_(?:GET|POST|REQUEST|COOKIE)/;
const CODE_TEXTS_MAX = 20;

const ENCODED = /^[A-Za-z0-9+/=\s]{24,}$/;

/** Reads code that stands in the texts of a file, plain or encoded, to be written somewhere or run by something. */
function readCodeInTexts(walk: Walk, { tokens }: PhpSurface): void {
  let read = 0;
  // Tests hold samples of what must be refused.
  const isSample = isTest(tokens);
  for (const { kind, text, at } of tokens) {
    if ((kind !== 'string' && kind !== 'template') || text.length <= 10 || read >= CODE_TEXTS_MAX) continue;
    const isPlain = !isSample && CODE.test(text);
    const code = isPlain ? text : decodedCode(walk, text);
    if (code === undefined || !walk.spend(code.length)) continue;
    read++;
    walk.report(isPlain ? PHP.codeInText : PHP.hiddenCode, at);
    walk.shared.readLayer(code, walk.whereOf(at));
  }
}

/** Code that base64, and perhaps compression below it, hides; undefined when there is none. */
function decodedCode(walk: Walk, text: string): string | undefined {
  if (!ENCODED.test(text.slice(0, 200)) || !walk.spend(text.length)) return undefined;
  const decoded = decodeBase64(text);
  if (CODE.test(decoded)) return decoded;
  if (text.length < 100) return undefined;
  const inflated = inflate(decoded, 'any');
  return inflated !== undefined && CODE.test(inflated) ? inflated : undefined;
}

const MD5_OR_SHA1 = /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/i;

/** Judges a file as a whole: its abilities, its words and how readable it is. */
export function judgeFile(walk: Walk, surface: PhpSurface, source: string): void {
  readCodeInTexts(walk, surface);
  judgeAbilities(walk, surface);
  const unreadable = unreadableAt(surface.tokens, source.length);
  judgeWords(walk, surface, unreadable !== undefined);
  judgeReadability(walk, surface, source, unreadable);
}

const total = (walk: Walk, names: ReadonlySet<string>): number => {
  let distinct = 0;
  for (const name of names) if (walk.calls.has(name)) distinct++;
  return distinct;
};

/** How many different functions of an ability count as having it. */
const DISTINCT_MIN: Readonly<Partial<Record<Ability, number>>> = {
  folders: 3,
  changes: 2,
  cover: 2,
  databases: 2,
  limits: 1,
};

/** Commands that can be talked to while they run. */
const INTERACTIVE = ['proc_open', 'popen', 'pcntl_fork', 'pcntl_exec', 'shell_exec', 'passthru'];

function judgeAbilities(walk: Walk, surface: PhpSurface): void {
  const has = (Object.keys(ABILITIES) as Ability[]).filter(
    (ability) => total(walk, ABILITIES[ability]) >= (DISTINCT_MIN[ability] ?? 1),
  );
  const isDriven = walk.requestReads > 0;
  const commands = total(walk, RUNS_COMMAND);
  if (walk.visitorReads > 0 && walk.remoteUses > 0) walk.report(PHP.doorway, WHOLE);
  if (walk.requestFiles.size >= 3) walk.report(PHP.fileManager, WHOLE);
  if (isDriven && total(walk, ABILITIES.host) >= 2) walk.report(PHP.reconnaissance, WHOLE);
  if (isDriven && has.length >= 6) walk.report(PHP.shellProfile, WHOLE);
  else if (isDriven && has.length >= 4) walk.report(PHP.partialProfile, WHOLE);
  if (has.includes('sockets') && INTERACTIVE.some((name) => walk.calls.has(name)))
    walk.report(PHP.socketShell, WHOLE);
  if ((isDriven && commands >= 3) || namedCommands(surface.tokens) >= FALLBACKS_MIN)
    walk.report(PHP.execFallbacks, WHOLE);
  // Where so many abilities are counted together, this is one of them.
  if (has.includes('cover') && !(isDriven && has.length >= 6)) walk.report(PHP.silenced, WHOLE);
  if (isDriven && isGated(surface)) walk.report(PHP.passwordGate, WHOLE);
  if (walk.newUserAt !== undefined && namesAdministrator(surface))
    walk.report(PHP.administratorMade, walk.newUserAt);
  if (isDocumented(surface)) walk.report(PHP.documented, WHOLE);
  // One of these at most, so that several together do not outweigh a clear finding.
  if ([...GUARDS].filter((name) => walk.calls.has(name)).length >= 2) walk.report(PHP.framework, WHOLE);
  else if (isTest(surface.tokens)) walk.report(PHP.tested, WHOLE);
  else if (!isDriven && isForCommandLine(surface)) walk.report(PHP.commandLine, WHOLE);
}

const namesAdministrator = ({ tokens }: PhpSurface): boolean =>
  tokens.some(({ kind, text }) => kind === 'string' && text.includes('administrator'));

const ASSERTIONS_MIN = 3;

/** Whether a file is a unit test: it calls methods or functions of its own that assert something. */
function isTest(tokens: readonly PhpToken[]): boolean {
  let assertions = 0;
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'name' && text.length > 6 && text.includes('assert') && tokens[index + 1]?.text === '(')
      assertions++;
  }
  return assertions >= ASSERTIONS_MIN;
}

const isForCommandLine = ({ tokens }: PhpSurface): boolean =>
  tokens.some(({ kind, text }) => kind === 'variable' && text === 'argv');

const DOCUMENTATION = /^\/\*\*[\s\S]*@(?:param|return|since|package|var|throws)\b/;

/** Whether most of a file's functions carry the documentation that libraries have. */
const isDocumented = ({ comments, tokens }: PhpSurface): boolean => {
  const documented = comments.filter((comment) => DOCUMENTATION.test(comment)).length;
  const functions = tokens.filter(({ kind, text }) => kind === 'name' && text === 'function').length;
  return documented >= 3 && documented >= functions * 0.5;
};

const FALLBACKS_MIN = 4;
const namedCommands = (tokens: readonly PhpToken[]): number =>
  new Set(
    tokens.filter(({ kind, text }) => kind === 'string' && RUNS_COMMAND.has(text)).map(({ text }) => text),
  ).size;

const isGated = ({ tokens }: PhpSurface): boolean =>
  tokens.some(({ kind, text }) => kind === 'string' && MD5_OR_SHA1.test(text));

const HARMS = [
  RUNS_COMMAND,
  RUNS_CODE,
  ABILITIES.changes,
  ABILITIES.uploads,
  ABILITIES.sockets,
  ABILITIES.mail,
] as const;

/**
 * Whether a file does anything that a web shell does: what only names one is a list, a setting or a help text. What hides a
 * long text may do it there.
 */
const canHarm = (walk: Walk): boolean =>
  walk.requestReads > 0 || walk.runsCode || HARMS.some((names) => total(walk, names) > 0);

function judgeWords(walk: Walk, { tokens, comments }: PhpSurface, hides: boolean): void {
  const texts = tokens.filter(
    ({ kind }) => kind === 'string' || kind === 'template' || kind === 'html' || kind === 'command',
  );
  const text = [...texts.map((token) => token.text), ...comments].join('\n').toLowerCase();
  // Names of commands that are tried in turn are counted as that.
  const counted = namedCommands(tokens) >= FALLBACKS_MIN ? wordsIn(text, ['shell_exec', 'passthru']) : 0;
  const words = wordsIn(text, WORDS) - counted;
  const isAble = hides || canHarm(walk);
  if (wordsIn(text, BRANDS) > 0) walk.report(isAble ? PHP.brand : PHP.brandAlone, WHOLE);
  else if (isAble && wordsIn(text, TRADE_WORDS) > 0) walk.report(PHP.tradeWord, WHOLE);
  if (words >= 5) walk.report(PHP.marker, WHOLE);
  if (words >= 10) walk.report(PHP.markers, WHOLE);
  if (walk.calls.has('mail') && walk.requestReads > 0 && wordsIn(text, CREDENTIALS) >= 3)
    walk.report(PHP.mailCredentials, WHOLE);
  if (wordsIn(text, DEFACEMENT) >= 2) walk.report(PHP.defacement, WHOLE);
  if (wordsIn(text, SEARCH_BOTS) >= 3) walk.report(PHP.cloaking, WHOLE);
}

const LOOK_ALIKE = /^[O0_oIl1i]{4,}$|[\u0080-\uffff]/;
const LETTERS_AND_DIGITS = /^(?=[A-Za-z_]*[0-9]+[A-Za-z_]+[0-9A-Za-z_]*$)[a-z0-9_]{5,}$/i;
const UNREADABLE_CHARS_MIN = 1_000;

/** Share of a file that texts without words take before it counts as packed. */
const PACKED_SHARE = 0.6;

/** Pictures, fonts and sounds in the address of a page's own. */
const MEDIA = /^data:(?:image|font|audio|video)\//;

/** Whether a text has no words: the alphabet of an encoding, or bytes. */
function isPacked(text: string): boolean {
  if (MEDIA.test(text)) return false;
  const sample = text.slice(0, 400).replace(/[\r\n]/g, '');
  if (/[ \t]/.test(sample)) return /[\u0000-\u0008\u0080-\u00ff\ufffd]{20}/.test(sample);
  return shareOf(sample, /[A-Za-z0-9+/=_-]+/g) > 0.97 || shareOf(sample, /[\u0080-\u00ff\ufffd]+/g) > 0.2;
}

/** Unreadable text: one long piece, or most of the file in short ones. */
function unreadableAt(tokens: readonly PhpToken[], length: number): number | undefined {
  let packed = 0;
  for (const { kind, text, at } of tokens) {
    if (kind !== 'string' || text.length < 40 || !isPacked(text)) continue;
    if (text.length >= UNREADABLE_CHARS_MIN) return at;
    packed += text.length;
  }
  return packed >= UNREADABLE_CHARS_MIN && packed > length * PACKED_SHARE ? WHOLE : undefined;
}

/**
 * Different beginnings, up to and with the first digits, of names with digits inside: rolled names have one each, where a
 * program's have the same abbreviation.
 */
const unreadableStems = (names: ReadonlySet<string>): number =>
  new Set(
    [...names]
      .filter((name) => LETTERS_AND_DIGITS.test(name))
      .map((name) => /^[^0-9]*[0-9]+/.exec(name)?.[0]),
  ).size;

/** Words and signs of a file that only writes down constants. */
const DATA_WORDS = new Set(
  'return array true false null declare strict_types namespace static const unset list'.split(' '),
);
const DATA_SIGNS = new Set([';', ',', '=', '=>', '(', ')', '[', ']', '&', '-']);

/** Whether a file holds nothing but constants: nothing is called, computed or put together. */
const isData = ({ tokens }: PhpSurface): boolean =>
  tokens.every(({ kind, text }, index) => {
    const before = tokens[index - 1];
    switch (kind) {
      case 'string':
      case 'number':
      case 'variable':
        return true;
      case 'name':
        return DATA_WORDS.has(text) || before?.text === 'namespace';
      case 'operator':
        return DATA_SIGNS.has(text) && (text !== '(' || before?.kind === 'name');
      default:
        return false;
    }
  });

function judgeReadability(
  walk: Walk,
  surface: PhpSurface,
  source: string,
  unreadable: number | undefined,
): void {
  const { tokens } = surface;
  const holdsData = isData(surface);
  const names = new Set(tokens.filter(({ kind }) => kind === 'variable').map(({ text }) => text));
  const share = (pattern: RegExp) =>
    [...names].filter((name) => pattern.test(name)).length / Math.max(1, names.size);
  if (names.size >= 3 && share(LOOK_ALIKE) > 0.3) walk.report(PHP.oddNames, WHOLE);
  else if (names.size >= 6 && unreadableStems(names) > names.size * 0.5) walk.report(PHP.oddNames, WHOLE);
  if (walk.jumps >= 8 && walk.jumps > tokens.length * 0.01) walk.report(PHP.jumps, WHOLE);
  if (surface.escapes >= 20 && surface.escapes * 4 > source.length * 0.08)
    walk.report(PHP.escapedStrings, WHOLE);
  if (surface.inlineComments >= 15 && surface.inlineComments > tokens.length * 0.08)
    walk.report(PHP.brokenUp, WHOLE);
  if (walk.characterCodes >= 15) walk.report(PHP.characterCodes, WHOLE);
  // Whoever includes the file gets such data; what a variable holds may be decoded behind it.
  if (unreadable !== undefined && !(holdsData && names.size === 0)) walk.report(PHP.compactCode, unreadable);
  const code = source.slice(0, 20_000);
  const marks = code.match(/[^\p{L}\p{M}\p{N}\s]/gu)?.length ?? 0;
  if (!holdsData && tokens.length >= 30 && surface.hasCode && marks > code.length * 0.55)
    walk.report(PHP.noLetters, WHOLE);
  judgeGlobals(walk, surface);
}

const WORD = /[a-z]{5}/i;
const isUnreadable = (name: string): boolean =>
  LOOK_ALIKE.test(name) || (LETTERS_AND_DIGITS.test(name) && !WORD.test(name));

/** Functions and texts kept in `$GLOBALS` under names that nobody can read. */
function judgeGlobals(walk: Walk, { tokens }: PhpSurface): void {
  let reached = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'variable' || token.text !== 'GLOBALS') continue;
    const key = tokens[index + 2];
    if (key?.escaped || isUnreadable(key?.text ?? '')) reached++;
  }
  if (reached >= 5) walk.report(PHP.globalsMaze, WHOLE);
}
