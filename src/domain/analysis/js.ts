import { foldTexts, type JsText, UNHIDES } from './js/fold.ts';
import { type JsSurface, type JsToken, lexJs } from './js/lexer.ts';
import { JS } from './js/signals.ts';
import { lineCounter } from './place.ts';
import type { Findings, Signal } from './signal.ts';
import { shareOf, wordsIn } from './words.ts';

const LAYERS_MAX = 3;
const LAYER_CHARS_MAX = 128 * 1024;
const RUNS = new Set(['eval', 'Function', 'execScript', 'setTimeout', 'setInterval']);
const WRITES = new Set(['write', 'writeln', 'insertAdjacentHTML', 'innerHTML']);
const HOST_OBJECTS =
  /wscript\.shell|adodb\.stream|msxml2\.|microsoft\.xmlhttp|scripting\.filesystemobject|shell\.application|winhttp\.|wbemscripting|schedule\.service/i;
const HOST_COMMANDS =
  /powershell(?:\.exe)?\s|cmd(?:\.exe)?\s+\/c|%temp%|%appdata%|%comspec%|regsvr32|rundll32|bitsadmin|certutil|wscript\.exe|mshta|\.exe\b|savetofile|responsebody|expandenvironmentstrings|createtextfile|getspecialfolder/gi;
const CODE =
  /\b(?:eval|document|window|function|script|iframe|ActiveXObject|WScript|location|createElement|XMLHttp\w*)\b\s*[(.=<{]|<(?:script|iframe)\b|\bvar\s+\w+\s*=/i;
const SENSITIVE =
  /^(?:eval|Function|ActiveXObject|WScript|CreateObject|document|constructor|fromCharCode|unescape|Run|Exec|ShellExecute|SaveToFile|Open|Send|Write|ResponseBody|ExpandEnvironmentStrings|GetSpecialFolder|Shell|write|createElement|XMLHttpRequest|location)$/i;
const CARD = [
  'cardnumber',
  'card_number',
  'cc_number',
  'ccnum',
  'cc-number',
  'cvv',
  'cvc',
  'cc_cid',
  'expir',
  'cc_exp',
  'security_code',
  'payment[cc',
];
const MINERS = [
  'coinhive',
  'cryptonight',
  'coinimp',
  'deepminer',
  'webminepool',
  'crypto-loot',
  'cryptoloot',
  'coin-have',
  'minero.cc',
  'jsecoin',
  'webmine',
  'monerominer',
  'startmining',
  'ppoi.org',
  'authedmine',
];
const PLUGINS = [
  'shockwaveflash',
  'pdf.pdfctrl',
  'acropdf',
  'javawebstart',
  'application/x-java',
  'clsid:',
  'msie',
  'navigator.plugins',
  'silverlight',
  'agcontrol',
  'quicktime',
  'realplayer',
  'vbscript',
  'kaspersky',
  'application/x-shockwave',
];

/** Finds what a script does that it should not. Its texts are put together as they are when it runs, then judged with its calls. */
export function analyzeJs(source: string, findings: Findings): void {
  readScript(source, findings, LAYERS_MAX, '');
}

function readScript(source: string, findings: Findings, layersLeft: number, outer: string): void {
  const surface = lexJs(source);
  const texts = foldTexts(surface.tokens);
  const lineOf = lineCounter(source);
  const report = (signal: Signal, at: number) =>
    findings.add(signal, outer === '' ? `line ${lineOf(at)}` : outer);
  judgeCalls(surface.tokens, report);
  judgeTexts(texts, surface.tokens, report);
  judgeReadability(source, surface, texts, report);
  if (layersLeft === 0) return;
  for (const { text, at } of encodedLayers(texts)) {
    report(JS.hiddenCode, at);
    readScript(
      text.slice(0, LAYER_CHARS_MAX),
      findings,
      layersLeft - 1,
      outer === '' ? `in what is decoded in line ${lineOf(at)}` : outer,
    );
  }
}

type Report = (signal: Signal, at: number) => void;

/** Calls and assignments, with what stands in them. */
function judgeCalls(tokens: readonly JsToken[], report: Report): void {
  const names = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'name') continue;
    names.add(token.text);
    const isCall = tokens[index + 1]?.text === '(';
    if (token.text === 'WScript') report(JS.hostScript, token.at);
    if (isCall && RUNS.has(token.text)) judgeRun(tokens, index, report);
    if (isCall && WRITES.has(token.text) && holds(tokens, index + 1, UNHIDES))
      report(JS.writeDecoded, token.at);
    if (token.text === 'location' || token.text === 'href') judgeRedirect(tokens, index, report);
  }
  if (
    names.has('ActiveXObject') &&
    (names.has('SaveToFile') || names.has('Run') || names.has('ShellExecute'))
  )
    report(JS.downloadAndRun, 0);
}

/** Whether one of some names stands in a call's arguments. */
function holds(tokens: readonly JsToken[], open: number, wanted: ReadonlySet<string>): boolean {
  let depth = 0;
  for (let at = open; at < tokens.length && at < open + 400; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' && text === '(') depth++;
    else if (kind === 'sign' && text === ')' && --depth === 0) return false;
    else if (kind === 'name' && wanted.has(text)) return true;
  }
  return false;
}

const LONG_TEXT_CHARS = 200;

function judgeRun(tokens: readonly JsToken[], index: number, report: Report): void {
  const { text, at } = tokens[index] as JsToken;
  const first = tokens[index + 2];
  const isTimer = text.startsWith('set');
  if (isTimer && first?.kind !== 'string') return;
  if (tokens[index - 1]?.text === 'function' || tokens[index - 1]?.text === '.') return;
  if (first?.text === 'function') {
    const names = tokens.slice(index + 3, index + 14).filter(({ kind }) => kind === 'name');
    if (
      names
        .map((token) => token.text)
        .join('')
        .startsWith('packe')
    )
      report(JS.packer, at);
  }
  const argument = tokens[index + 4];
  const isOwnDecoder =
    first?.kind === 'name' &&
    tokens[index + 3]?.text === '(' &&
    argument?.kind === 'string' &&
    argument.text.length > 100;
  if (first?.kind === 'string' && first.text.length >= LONG_TEXT_CHARS && !isTimer) report(JS.runText, at);
  if (isOwnDecoder || holds(tokens, index + 1, UNHIDES)) report(JS.runDecoded, at);
  else if (!isTimer && first?.kind === 'name' && text !== 'Function') report(JS.runComputed, at);
}

function judgeRedirect(tokens: readonly JsToken[], index: number, report: Report): void {
  const assignment = tokens[index + 1];
  if (assignment?.text !== '=') return;
  const value = tokens[index + 2];
  if (value?.kind === 'name' && (UNHIDES.has(value.text) || tokens[index + 4]?.text === 'fromCharCode'))
    report(JS.redirectHidden, value.at);
}

function judgeTexts(texts: readonly JsText[], tokens: readonly JsToken[], report: Report): void {
  const all = texts
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 200_000);
  const lower = all.toLowerCase();
  const names = tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text);
  const code = `${lower}\n${names.join(' ').toLowerCase()}`;
  for (const { text, at, pieces, wasHidden } of texts) {
    const isHidden = pieces > 1 || wasHidden;
    if (isHidden && HOST_OBJECTS.test(text)) report(JS.hiddenHostObject, at);
    else if (
      HOST_OBJECTS.test(text) &&
      /wscript\.shell|adodb|filesystemobject|shell\.application/i.test(text)
    )
      report(JS.hostObjects, at);
    if (isHidden && pieces >= 2 && SENSITIVE.test(text)) report(JS.hiddenName, at);
    if (
      (text.match(/%u[0-9a-f]{4}/gi)?.length ?? 0) >= 8 ||
      (text.match(/\\u[0-9a-f]{4}/gi)?.length ?? 0) >= 40
    )
      report(JS.shellcode, at);
    if (
      /<iframe/i.test(text) &&
      /(?:width|height)\s*[=:]\s*["']?[01]\b|display\s*:\s*none|visibility\s*:\s*hidden|(?:left|top)\s*:\s*-\d{3}/i.test(
        text,
      )
    )
      report(JS.hiddenFrame, at);
  }
  if (texts.some(({ text }) => /^TV[opqr][A-Za-z0-9+/]{40}/.test(text))) report(JS.program, 0);
  const commands = new Set(lower.match(HOST_COMMANDS) ?? []);
  if (commands.size >= 2) report(JS.hostCommand, 0);
  const sends = /xmlhttprequest|sendbeacon|\bfetch\b|new image|\.src|\bimage\b|\bajax\b/.test(code);
  if (sends && wordsIn(code, CARD) >= 3 && /btoa|base64|encodeuricomponent|stringify/.test(code))
    report(JS.skimmer, 0);
  if (wordsIn(code, MINERS) > 0) report(JS.miner, 0);
  if (wordsIn(code, PLUGINS) >= 5) report(JS.exploitKit, 0);
  if (
    /onkeypress|onkeydown|keypress|keydown/.test(code) &&
    /sendbeacon|new image/.test(code) &&
    /password|keylog|fromcharcode/.test(code)
  )
    report(JS.keyLogger, 0);
  if (
    /document referrer|referrer/.test(code) &&
    /location/.test(code) &&
    wordsIn(code, ['google', 'bing', 'yahoo', 'yandex', 'baidu']) >= 2
  )
    report(JS.redirectVisitors, 0);
}

const RANDOM_NAME = /^_0x[0-9a-f]{4,6}$/;
const SMALL_PIECE = 3;

function judgeReadability(
  source: string,
  { tokens, escapes, commentChars }: JsSurface,
  texts: readonly JsText[],
  report: Report,
): void {
  const names = tokens.filter(({ kind }) => kind === 'name');
  const strings = tokens.filter(({ kind }) => kind === 'string');
  const numbers = tokens.filter(({ kind }) => kind === 'number').length;
  if (names.filter(({ text }) => RANDOM_NAME.test(text)).length >= 10)
    report(JS.obfuscator, names[0]?.at ?? 0);
  if (escapes >= 30 && escapes * 4 > source.length * 0.2) report(JS.escapedTexts, strings[0]?.at ?? 0);
  const pieces = texts.reduce(
    (sum, { pieces: count, text }) => sum + (count > 2 && text.length / count <= SMALL_PIECE * 2 ? count : 0),
    0,
  );
  if (pieces >= 40 && pieces * 3 > strings.length)
    report(JS.fragments, texts.find((text) => text.pieces > 2)?.at ?? 0);
  const small = tokens.filter(
    ({ kind, text }, at) =>
      kind === 'string' &&
      text.length <= SMALL_PIECE &&
      !(/^[[,]$/.test(tokens[at - 1]?.text ?? '') && /^[\],]$/.test(tokens[at + 1]?.text ?? '')),
  ).length;
  if (small >= 50 && small > strings.length * 0.5 && small > tokens.length * 0.07)
    report(JS.fragments, strings[0]?.at ?? 0);
  if (
    numbers >= 150 &&
    numbers > tokens.length * 0.35 &&
    names.some(({ text }) => text === 'fromCharCode' || text === 'eval')
  )
    report(JS.codeNumbers, 0);
  if (/\/\*@cc_on\s/.test(source)) report(JS.conditional, source.indexOf('/*@cc_on'));
  if (literalTests(tokens) >= 6) report(JS.literalTests, strings[0]?.at ?? 0);
  if (isRepeated(tokens, strings)) report(JS.repeatedTexts, strings[0]?.at ?? 0);
  if (isCodeInPieces(strings) || areAssignedPieces(tokens, strings))
    report(JS.codeInPieces, strings[0]?.at ?? 0);
  const padded = strings.filter(({ text }) => isPadded(text));
  const separated = strings.find(({ text }) => isSeparated(text));
  if (separated) report(JS.paddedTexts, separated.at);
  if (literalLists(tokens) > Math.max(8, tokens.length * 0.01)) report(JS.junk, strings[0]?.at ?? 0);
  if ((source.slice(0, 60_000).match(/!\[\]|\+\[\]|!!\[/g)?.length ?? 0) >= 8) report(JS.symbolsOnly, 0);
  if (
    commentChars > source.length * 0.6 &&
    source.length > 2_000 &&
    !/@(?:param|license|since|return)|Copyright|Licen[cs]e/i.test(source)
  )
    report(JS.junkComments, 0);
  if (padded.length >= 3 || padded.some(({ text }) => text.length > 400))
    report(JS.paddedTexts, padded[0]?.at ?? 0);
  const packed = strings.find(({ text }) => text.length >= 800 && !/[ \t<>]/.test(text.slice(0, 300)));
  if (packed) report(JS.packedText, packed.at);
  if (randomShare(names) > 0.45) report(JS.randomNames, names[0]?.at ?? 0);
  const sample = source.slice(0, 20_000);
  if (sample.length >= 200 && shareOf(sample, /[[\]()!+{}]+/g) > 0.75) report(JS.symbolsOnly, 0);
  if (
    commentChars > source.length * 0.15 &&
    /\*\s*@(?:param|return|type|license|since|module|author)|\bLicensed\b|Copyright/i.test(source)
  )
    report(JS.documented, 0);
  if (
    names.some(
      ({ text }) =>
        text === 'module' || text === 'define' || text === 'jQuery' || text === 'exports' || text === 'wp',
    )
  )
    report(JS.library, 0);
}

/** Whether most texts are short and look like cut-up code. */
function isCodeInPieces(strings: readonly JsToken[]): boolean {
  const short = strings.filter(({ text }) => text.length > 0 && text.length <= 8);
  if (short.length < 40 || short.length < strings.length * 0.8) return false;
  const likeCode = short.filter(({ text }) => /[(){};=]|\w\.|\.\w|["']/.test(text)).length;
  return likeCode > short.length * 0.2;
}

const PIECE_CHARS_MAX = 8;

/** Whether most texts are short and each is given a name of its own. */
function areAssignedPieces(tokens: readonly JsToken[], strings: readonly JsToken[]): boolean {
  let assigned = 0;
  for (let at = 2; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (
      kind === 'string' &&
      text.length > 0 &&
      text.length <= PIECE_CHARS_MAX &&
      tokens[at - 1]?.text === '=' &&
      tokens[at - 2]?.kind === 'name'
    )
      assigned++;
  }
  return assigned >= 25 && assigned > strings.length * 0.6;
}

/** Whether a list of short texts has the same ones again and again: an alphabet, not words. */
function isRepeated(tokens: readonly JsToken[], strings: readonly JsToken[]): boolean {
  const short = strings.filter(({ text }) => text.length <= PIECE_CHARS_MAX).map(({ text }) => text);
  if (short.length >= 100 && short.length > tokens.length * 0.3 && new Set(short).size < short.length * 0.45)
    return true;
  let pairs = 0;
  for (let at = 2; at < tokens.length; at++) {
    if (
      tokens[at]?.kind === 'name' &&
      tokens[at - 1]?.text === ',' &&
      tokens[at - 2]?.kind === 'number' &&
      tokens[at - 3]?.text === '('
    )
      pairs++;
  }
  return pairs >= 60 && pairs * 6 > tokens.length * 0.4;
}

/** Comparisons in which both sides are constants. */
function literalTests(tokens: readonly JsToken[]): number {
  let found = 0;
  for (let at = 0; at < tokens.length - 4; at++) {
    const [first, second, third, , fifth] = tokens.slice(at, at + 5);
    if (
      first?.kind === 'string' &&
      second?.text === '.' &&
      third?.text === 'indexOf' &&
      fifth?.kind === 'string'
    )
      found++;
    else if (first?.kind === 'string' && /^[!=]==?$/.test(second?.text ?? '') && third?.kind === 'string')
      found++;
  }
  return found;
}

const UNIT_CHARS = 6;
const UNIT_STARTS = [0, 2, 3, 5];

/** Whether a text is the same characters again and again with a little between. */
function isPadded(text: string): boolean {
  if (text.length < 24 || text.length > 40_000 || /\s/.test(text.slice(0, 200))) return false;
  return UNIT_STARTS.some((start) => {
    const unit = text.slice(start, start + UNIT_CHARS);
    const between = text.split(unit).slice(1, -1);
    const isEven = between.every(({ length }) => Math.abs(length - (between[0]?.length ?? 0)) <= 2);
    return between.length >= 2 && isEven && /[A-Za-z]{3}/.test(unit) && text.length / between.length < 24;
  });
}

const SEPARATED_CHARS_MIN = 200;

/** Whether one and the same character stands between all others of a text. */
function isSeparated(text: string): boolean {
  if (text.length < SEPARATED_CHARS_MIN) return false;
  const counts = new Map<string, number>();
  const sample = text.slice(0, 2_000);
  for (const char of sample) counts.set(char, (counts.get(char) ?? 0) + 1);
  const [most = '', times = 0] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  return times > sample.length * (most === ' ' ? 0.5 : 0.33) && !/[A-Za-z0-9]/.test(most) && counts.size > 5;
}

/** Lists of texts in parentheses, of which only the last one counts. */
function literalLists(tokens: readonly JsToken[]): number {
  let found = 0;
  for (let at = 1; at < tokens.length - 3; at++) {
    if (
      tokens[at]?.text === '(' &&
      tokens[at - 1]?.kind === 'sign' &&
      tokens[at + 1]?.kind === 'string' &&
      tokens[at + 2]?.text === ',' &&
      tokens[at + 3]?.kind === 'string'
    )
      found++;
  }
  return found;
}

/** The share of declared names that look like rolled letters, among enough of them. */
function randomShare(names: readonly JsToken[]): number {
  const distinct = new Set(names.map(({ text }) => text).filter((text) => text.length >= 5));
  if (distinct.size < 8) return 0;
  let random = 0;
  for (const name of distinct) if (isRandom(name)) random++;
  return random / distinct.size;
}

function isRandom(name: string): boolean {
  if (/[a-z][0-9]+[a-z]/i.test(name) && name.length >= 6) return true;
  if (/[bcdfghjklmnpqrstvwxz]{5}/i.test(name)) return true;
  const changes = name.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0;
  return name.length >= 6 && changes / name.length > 0.5;
}

const LAYERS_PER_SCRIPT = 6;

function encodedLayers(texts: readonly JsText[]): readonly JsText[] {
  return texts
    .filter(({ text, wasHidden }) => wasHidden && text.length >= 20 && CODE.test(text))
    .slice(0, LAYERS_PER_SCRIPT);
}
