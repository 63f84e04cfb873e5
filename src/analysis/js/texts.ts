import { WHOLE } from '../place.ts';
import { wordsIn } from '../words.ts';
import type { Report } from './calls.ts';
import type { JsText } from './fold.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';
import type { Words } from './words.ts';

const HOST_OBJECTS =
  /wscript\.shell|adodb\.stream|msxml2\.|microsoft\.xmlhttp|scripting\.filesystemobject|shell\.application|winhttp\.|wbemscripting|schedule\.service/i;
/** Prefilter: each match of the pattern contains one of these. */
const HOST_OBJECT_WORDS =
  'wscript.shell adodb.stream msxml2. microsoft.xmlhttp scripting.filesystemobject shell.application winhttp. wbemscripting schedule.service'.split(
    ' ',
  );
const HOST_COMMANDS =
  /powershell(?:\.exe)? |cmd(?:\.exe)?\s+\/c|%temp%|%appdata%|%comspec%|regsvr32|rundll32|bitsadmin|certutil|wscript\.exe|mshta|\.exe\b|savetofile|responsebody|expandenvironmentstrings|createtextfile|getspecialfolder/gi;
/** Prefilter: each match of the pattern contains one of these. */
const HOST_WORDS =
  'powershell cmd %temp% %appdata% %comspec% regsvr32 rundll32 bitsadmin certutil .exe mshta savetofile responsebody expandenvironmentstrings createtextfile getspecialfolder'.split(
    ' ',
  );
const SENSITIVE =
  /^(?:eval|Function|ActiveXObject|WScript|CreateObject|document|constructor|fromCharCode|unescape|Run|Exec|ShellExecute|SaveToFile|Open|Send|Write|ResponseBody|ExpandEnvironmentStrings|GetSpecialFolder|Shell|write|createElement|XMLHttpRequest|location)$/i;
const OF_NODE = /^(?:node:)?child_process$/;
const CARD =
  'cardnumber card_number cc_number ccnum cc-number cvv cvc cc_cid expir cc_exp security_code payment[cc'.split(
    ' ',
  );
const MINERS =
  'stratum+tcp moneroocean hostingcloud. coinhive cryptonight coinimp deepminer webminepool crypto-loot cryptoloot coin-have minero.cc jsecoin webmine monerominer startmining ppoi.org authedmine'.split(
    ' ',
  );
const NEAR_TOKENS = 150;
const CARD_FIELD = new RegExp(CARD.map((word) => word.replace('[', '\\[')).join('|'), 'i');
/** Indications that the script reads card data. Shops with a bank's frame cannot read its fields. */
const CARD_READ = [
  CARD_FIELD,
  /^(?:value|val|FormData|serialize(?:Array)?)$/,
  /^(?:getElement\w{0,20}|querySelector(?:All)?|elements|forms|addEventListener|jQuery|\$)$/,
];
/** Whether a token is a key of an object literal. */
const isKey = (tokens: readonly JsToken[], at: number): boolean =>
  tokens[at]?.kind === 'name' && tokens[at + 1]?.text === ':' && tokens[at - 1]?.text !== '.';

/** Whether any name or text of a script matches. Searches the distinct names, which are far fewer than the tokens. */
function isAnywhere(tokens: readonly JsToken[], { names, telling }: Words, pattern: RegExp): boolean {
  for (const name of names.keys()) if (pattern.test(name)) return true;
  return telling.some((at) => pattern.test(tokens[at]?.text ?? ''));
}

/** Whether tokens that match each pattern are close together. In a bundle of many modules, every word occurs somewhere. */
export function areNear(tokens: readonly JsToken[], words: Words, patterns: readonly RegExp[]): boolean {
  if (!patterns.every((pattern) => isAnywhere(tokens, words, pattern))) return false;
  const lastAt = patterns.map(() => Number.NEGATIVE_INFINITY);
  /** Index of the matching pattern by text, because the same few texts are repeated. */
  const found = new Map<string, number>();
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as JsToken;
    if (kind === 'sign' || text.length > 200) continue;
    let index = found.get(text);
    if (index === undefined) {
      index = patterns.findIndex((pattern) => pattern.test(text));
      found.set(text, index);
    }
    if (index < 0 || isKey(tokens, at)) continue;
    lastAt[index] = at;
    if (at - Math.min(...lastAt) < NEAR_TOKENS) return true;
  }
  return false;
}

/** Maximum number of characters searched in all texts. */
const TEXTS_CHARS_MAX = 200_000;
/** Shorter texts are only compared with sensitive names. */
const TELLING_CHARS_MIN = 7;

/** Judges the evaluated texts of a script together with its names. */
export function judgeTexts(
  texts: readonly JsText[],
  tokens: readonly JsToken[],
  words: Words,
  report: Report,
): void {
  const { names } = words;
  const all = texts
    .map(({ text }) => text)
    .join('\n')
    .toLowerCase();
  const lower = all.slice(0, TEXTS_CHARS_MAX);
  const code = `${lower}\n${[...names.keys()].join(' ').toLowerCase()}`;
  // One search in all texts saves searching each of them.
  const hasObjects = wordsIn(all, HOST_OBJECT_WORDS) > 0;
  const hasFrames = all.includes('<iframe');
  for (const { text, at, pieces, wasHidden } of texts) {
    if (pieces >= 2 && SENSITIVE.test(text)) report(JS.hiddenName, at);
    if (text.length < TELLING_CHARS_MIN) continue;
    if (hasObjects && HOST_OBJECTS.test(text)) {
      if (pieces > 1 || wasHidden) report(JS.hiddenHostObject, at);
      else if (/wscript\.shell|adodb|filesystemobject|shell\.application/i.test(text))
        report(JS.hostObjects, at);
    }
    if (
      hasFrames &&
      /<iframe/i.test(text) &&
      // The source may come from elsewhere in the script.
      /\bsrc\s{0,8}=\s{0,8}\\?["']?\s{0,8}(?:https?:)?\/\//i.test(text) &&
      /(?<![\w-])(?:width|height)\s*[=:]\s*["']?[01]\b|display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])(?:left|top)\s*:\s*-\d{3}/i.test(
        text,
      )
    )
      report(JS.hiddenFrame, at);
  }
  if (all.includes('tv') && texts.some(({ text }) => /^TV[opqr][A-Za-z0-9+/]{40}/.test(text)))
    report(JS.program, WHOLE);
  const commands = wordsIn(lower, HOST_WORDS) > 0 ? new Set(lower.match(HOST_COMMANDS) ?? []) : new Set();
  // Packages for Node.js include Windows programs as well.
  if (commands.size >= 2 && !texts.some(({ text }) => OF_NODE.test(text))) report(JS.hostCommand, WHOLE);
  if (
    wordsIn(code, CARD) >= 3 &&
    /xmlhttprequest|sendbeacon|\bfetch\b|new image|\.src|\bimage\b|\bajax\b/.test(code) &&
    /btoa|base64|encodeuricomponent|stringify/.test(code) &&
    (areNear(tokens, words, CARD_READ) ||
      texts.some(({ text, wasHidden }) => wasHidden && CARD_FIELD.test(text)))
  )
    report(JS.skimmer, WHOLE);
  if (wordsIn(code, MINERS) > 0) report(JS.miner, WHOLE);
}
