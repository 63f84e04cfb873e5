import { WHOLE } from '../place.ts';
import type { Report } from './calls.ts';
import type { JsText } from './fold.ts';
import type { JsToken } from './lexer.ts';
import { JS } from './signals.ts';
import { areNear } from './texts.ts';
import type { Words } from './words.ts';

const ADDRESS = /^(?:(?:https?|wss?):)?\/\/[\w.-]+\.[a-z]{2,}/i;
/** A script that observes a checkout, reads its fields, encodes and sends them. */
const CHECKOUT_READ = [
  /checkout|place[_-]?order|one-?page/i,
  /^(?:value|serialize(?:Array)?)$/,
  /^btoa$/,
  /^(?:fetch|sendBeacon|Image|XMLHttpRequest|WebSocket)$/,
];
/** Minimum length of a text with a style and a link. */
const PAGE_CHARS_MIN = 25;
const PROGRAM_LINK = /href\s*=\s*\\?["'][^"'\s]{1,200}\.(?:exe|msi|scr|hta|bat|cmd|vbs|ps1|apk|dmg)\b/i;
const UPDATE = /\b(?:updat|out of date|outdated|upgrade)/i;
const FOR_CLIPBOARD =
  /powershell(?:\.exe)?["']?\s+[^\n]{0,80}-(?:w|e|enc|nop|ep|windowstyle|encodedcommand)\b|\bmshta(?:\.exe)?\s+https?:|\bmsiexec\b[^\n]{0,40}https?:|\|\s*(?:iex|bash)\b/i;
const FOR_PERSON = /win(?:dows)?\s*\+\s*r\b|not a robot|you are human|verif(?:y|ication)|captcha/i;
/** A pattern that matches wallets, and a wallet. */
const WALLET_PATTERN = /\[[\w-]{6,40}\]\{(?:2[4-9]|3[0-9]|4[0-2])(?:,\d\d)?\}|0x\[[\w-]{6,20}\]\{40\}/;
const WALLET = /^(?:bc1[a-z0-9]{25,60}|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|0x[0-9a-fA-F]{40}|T[A-Za-z1-9]{33})$/;

/** Reports attacks on visitors of a page: reading their input, or showing them foreign content. */
export function judgeVisitors(
  tokens: readonly JsToken[],
  texts: readonly JsText[],
  words: Words,
  report: Report,
): void {
  const { names } = words;
  const has = (...wanted: string[]) => wanted.some((name) => names.has(name));
  for (const { text, at, isCoded } of texts) {
    if (isCoded && ADDRESS.test(text)) report(JS.hiddenAddress, at);
    const isPage = text.length >= PAGE_CHARS_MIN && /position\s*:\s*fixed/i.test(text);
    if (isPage && PROGRAM_LINK.test(text) && UPDATE.test(text)) report(JS.fakeUpdate, at);
  }
  const command = has('writeText', 'execCommand')
    ? texts.find(({ text }) => FOR_CLIPBOARD.test(text))
    : undefined;
  if (command && texts.some(({ text }) => FOR_PERSON.test(text))) report(JS.clipboardCommand, command.at);
  if (
    has('querySelectorAll', 'getElementsByTagName', 'elements', 'getElementById') &&
    texts.some(({ text }) => ADDRESS.test(text)) &&
    areNear(tokens, words, CHECKOUT_READ)
  )
    report(JS.skimmer, WHOLE);
  if (
    has('setData', 'writeText') &&
    tokens.some(({ kind, text }) => kind !== 'name' && WALLET_PATTERN.test(text))
  )
    if (tokens.some(({ kind, text }) => kind === 'string' && WALLET.test(text))) report(JS.walletSwap, WHOLE);
  if (has('Anonymous') && has('throttle') && has('start')) report(JS.miner, WHOLE);
}
