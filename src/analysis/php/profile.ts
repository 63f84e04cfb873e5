import { decodeBase64, inflate } from '../decode.ts';
import { WHOLE } from '../place.ts';
import { wordsIn } from '../words.ts';
import { ABILITIES, type Ability, RUNS_CODE, RUNS_COMMAND } from './functions.ts';
import { BRANDS, CREDENTIALS, DEFACEMENT, SEARCH_BOTS, TRADE_WORDS, WORDS } from './markers.ts';
import { judgeNeighbours } from './neighbours.ts';
import { FRAMEWORK, isDocumentation } from './ordinary.ts';
import { judgeReadability, unreadableAt } from './readability.ts';
import { PHP } from './signals.ts';
import type { PhpSurface, PhpToken, PhpTokenKind } from './token.ts';
import { INFLATE_COST_CHARS, type Walk } from './walk.ts';

/** Code in a text: an opening tag, or a call that takes the request. */
const CODE =
  /<\?php\s|\b(?:eval|assert|system|exec|passthru|shell_exec|popen)\s*\(\s*\$_(?:GET|POST|REQUEST|COOKIE)/;
const CODE_TEXTS_MAX = 20;

const ENCODED = /^[A-Za-z0-9+/=\s]{24,}$/;

/** Reads code that stands in the texts of a file, plain or encoded, to be written somewhere or run by something. */
function readCodeInTexts(walk: Walk, { texts, isSample }: Overview): void {
  let read = 0;
  for (const { kind, text, at } of texts) {
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
  if (text.length < 100 || !walk.spend(INFLATE_COST_CHARS)) return undefined;
  const inflated = inflate(decoded, 'any');
  return inflated !== undefined && CODE.test(inflated) ? inflated : undefined;
}

const MD5_OR_SHA1 = /^(?:[0-9a-f]{32}|[0-9a-f]{40})$/i;

const TEXTS: ReadonlySet<PhpTokenKind> = new Set<PhpTokenKind>(['string', 'template', 'html', 'command']);

/** What several judgements of a file need. */
interface Overview {
  readonly texts: readonly PhpToken[];
  /** Whether it is a unit test: those hold samples of what must be refused. */
  readonly isSample: boolean;
  /** Different functions that run commands, named in texts. */
  readonly commands: number;
  /** Whether most of it, or a long text in it, is unreadable. */
  readonly hides: boolean;
}

/** Judges a file as a whole: its abilities, its words and how readable it is. */
export function judgeFile(walk: Walk, surface: PhpSurface, source: string): void {
  const texts = surface.tokens.filter(({ kind }) => TEXTS.has(kind));
  const unreadable = unreadableAt(texts, source.length);
  const hides = unreadable !== undefined;
  const overview = { texts, isSample: isTest(surface.tokens), commands: namedCommands(texts), hides };
  readCodeInTexts(walk, overview);
  judgeAbilities(walk, surface, overview);
  judgeNeighbours(walk, surface.tokens);
  judgeWords(walk, surface, overview);
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

function judgeAbilities(
  walk: Walk,
  surface: PhpSurface,
  { texts, isSample, commands: named, hides }: Overview,
): void {
  const has = (Object.keys(ABILITIES) as Ability[]).filter(
    (ability) => total(walk, ABILITIES[ability]) >= (DISTINCT_MIN[ability] ?? 1),
  );
  const isDriven = walk.requestReads > 0;
  const commands = total(walk, RUNS_COMMAND);
  if (walk.visitorReads > 0 && walk.remoteUses > 0) walk.report(PHP.doorway, WHOLE);
  if (walk.requestFiles.size >= 3) walk.report(PHP.fileManager, WHOLE);
  if (isDriven && total(walk, ABILITIES.host) >= 2) walk.report(PHP.reconnaissance, WHOLE);
  if (isDriven && has.length >= 6) walk.report(PHP.shellProfile, WHOLE);
  else if (isDriven && !walk.refusesOthers && has.length >= 4) walk.report(PHP.partialProfile, WHOLE);
  if (walk.runsOwnCommand && has.includes('sockets') && INTERACTIVE.some((name) => walk.calls.has(name)))
    walk.report(PHP.socketShell, WHOLE);
  if ((isDriven && commands >= 3) || named >= FALLBACKS_MIN) walk.report(PHP.execFallbacks, WHOLE);
  // Where so many abilities are counted together, this is one of them.
  if (has.includes('cover') && !(isDriven && has.length >= 6)) walk.report(PHP.silenced, WHOLE);
  if (isDriven && isGated(texts)) walk.report(PHP.passwordGate, WHOLE);
  if (walk.newUserAt !== undefined && namesAdministrator(texts))
    walk.report(PHP.administratorMade, walk.newUserAt);
  if (isDocumented(surface)) walk.report(PHP.documented, WHOLE);
  // One of these at most, so that several together do not outweigh a clear finding.
  if ([...FRAMEWORK].filter((name) => walk.calls.has(name)).length >= 2) walk.report(PHP.framework, WHOLE);
  else if (isSample) walk.report(PHP.tested, WHOLE);
  else if (!walk.acts && !hides && functionsIn(surface) > 0) walk.report(PHP.definitions, WHOLE);
  else if (!isDriven && isForCommandLine(surface)) walk.report(PHP.commandLine, WHOLE);
}

const namesAdministrator = (texts: readonly PhpToken[]): boolean =>
  texts.some(({ kind, text }) => kind === 'string' && text.includes('administrator'));

const ASSERTIONS_MIN = 3;

/** Whether a file is a unit test: it calls methods or functions of its own that assert something. */
function isTest(tokens: readonly PhpToken[]): boolean {
  const assertions = tokens.filter(
    ({ kind, text }, index) =>
      kind === 'name' && text.length > 6 && text.includes('assert') && tokens[index + 1]?.text === '(',
  );
  return assertions.length >= ASSERTIONS_MIN;
}

const isForCommandLine = ({ tokens }: PhpSurface): boolean =>
  tokens.some(({ kind, text }) => (kind === 'variable' || kind === 'string') && text === 'argv');

/** Whether most of a file's functions carry the documentation that libraries have. */
const isDocumented = ({ comments, tokens }: PhpSurface): boolean => {
  const documented = comments.filter(isDocumentation).length;
  return documented >= 3 && documented >= functionsIn({ tokens }) * 0.5;
};

const functionsIn = ({ tokens }: Pick<PhpSurface, 'tokens'>): number =>
  tokens.filter(({ kind, text }) => kind === 'name' && text === 'function').length;

const FALLBACKS_MIN = 4;
const namedCommands = (texts: readonly PhpToken[]): number =>
  new Set(
    texts.filter(({ kind, text }) => kind === 'string' && RUNS_COMMAND.has(text)).map(({ text }) => text),
  ).size;

const isGated = (texts: readonly PhpToken[]): boolean =>
  texts.some(({ kind, text }) => kind === 'string' && MD5_OR_SHA1.test(text));

const HARMS = [
  RUNS_COMMAND,
  RUNS_CODE,
  ABILITIES.changes,
  ABILITIES.uploads,
  ABILITIES.sockets,
  ABILITIES.mail,
] as const;

/** Whether a file does anything that a web shell does: what only names one is a list, a setting or a help text. */
const canHarm = (walk: Walk): boolean =>
  walk.requestReads > 0 || walk.runsCode || HARMS.some((names) => total(walk, names) > 0);

function judgeWords(walk: Walk, { comments }: PhpSurface, { texts, commands, hides }: Overview): void {
  const text = [...texts, ...comments]
    .map((piece) => piece.text)
    .join('\n')
    .toLowerCase();
  // Names of commands that are tried in turn are counted as that.
  const counted = commands >= FALLBACKS_MIN ? wordsIn(text, ['shell_exec', 'passthru']) : 0;
  const words = wordsIn(text, WORDS) - counted;
  // What hides a long text may do it there.
  const isAble = hides || canHarm(walk);
  if (wordsIn(text, BRANDS) > 0) walk.report(isAble ? PHP.brand : PHP.brandAlone, WHOLE);
  else if (isAble && wordsIn(text, TRADE_WORDS) > 0) walk.report(PHP.tradeWord, WHOLE);
  if (words >= 5 && (hides || walk.requestReads > 0 || walk.runsCode)) walk.report(PHP.marker, WHOLE);
  if (words >= 10) walk.report(PHP.markers, WHOLE);
  if (walk.calls.has('mail') && walk.requestReads > 0 && wordsIn(text, CREDENTIALS) >= 3)
    walk.report(PHP.mailCredentials, WHOLE);
  if (wordsIn(text, DEFACEMENT) >= 2) walk.report(PHP.defacement, WHOLE);
  if (wordsIn(text, SEARCH_BOTS) >= 3) walk.report(PHP.cloaking, WHOLE);
}
