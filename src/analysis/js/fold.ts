import { decodeBase64, decodeUrl } from '../decode.ts';
import type { JsToken } from './lexer.ts';

/** A text that a script holds, as it is when it runs. */
export interface JsText {
  readonly text: string;
  readonly at: number;
  /** Pieces that it was put together from. */
  readonly pieces: number;
  /** Whether an encoding hid it. */
  readonly wasHidden: boolean;
  /** Whether one did that addresses never need: codes, base64, numeric escapes, reversed. */
  readonly isCoded: boolean;
}

/** Functions that undo an encoding, by the last part of their names. */
export const UNHIDES: ReadonlySet<string> = new Set([
  'unescape',
  'decodeURIComponent',
  'decodeURI',
  'atob',
  'fromCharCode',
  'fromCodePoint',
]);
const TEXTS_MAX = 20_000;
const CHARS_MAX = 512 * 1024;

const isSign = (token: JsToken | undefined, text: string): boolean =>
  token?.kind === 'sign' && token.text === text;

/** Puts the texts of a script together: literals joined by `+`, character codes, arrays joined, encodings undone. */
export function foldTexts(tokens: readonly JsToken[]): readonly JsText[] {
  const texts: JsText[] = [];
  let chars = 0;
  let at = 0;
  while (at < tokens.length && texts.length < TEXTS_MAX && chars < CHARS_MAX) {
    const { kind, text } = tokens[at] as JsToken;
    let folded: Folded | undefined;
    if (kind === 'sign') folded = text === '[' ? joinedArray(tokens, at) : undefined;
    else if (kind !== 'name' || UNHIDES.has(text))
      folded = isOperand(tokens, at) ? joined(tokens, at) : undefined;
    if (folded === undefined) at++;
    else {
      texts.push(folded.text);
      chars += folded.text.text.length;
      at = folded.next;
    }
  }
  return texts;
}

/**
 * A script in which every text that was put together or decoded stands as one text.
 *
 * @param telling where texts may begin
 */
export function withFoldedTexts(tokens: readonly JsToken[], telling: readonly number[]): readonly JsToken[] {
  const folded: JsToken[] = [];
  let copied = 0;
  const copyTo = (end: number) => {
    for (; copied < end; copied++) folded.push(tokens[copied] as JsToken);
  };
  let texts = 0;
  for (const at of telling) {
    if (texts === TEXTS_MAX) break;
    if (at < copied || !isOperand(tokens, at)) continue;
    const { text, next } = joined(tokens, at);
    if (next === at + 1) continue;
    copyTo(at);
    folded.push({ kind: 'string', text: text.text, at: tokens[at]?.at ?? 0 });
    copied = next;
    texts++;
  }
  if (texts === 0) return tokens;
  copyTo(tokens.length);
  return folded;
}

interface Folded {
  readonly text: JsText;
  readonly next: number;
}

/** Texts and decoded texts that are added up. */
function joined(tokens: readonly JsToken[], start: number): Folded {
  let text = '';
  let pieces = 0;
  let wasHidden = false;
  let isCoded = false;
  let at = start;
  while (true) {
    const first = operandAt(tokens, at);
    const operand = tokens[first]?.kind === 'name' ? unhidden(tokens, first) : undefined;
    const token = tokens[first] as JsToken;
    text += operand?.text.text ?? token.text;
    pieces += operand?.text.pieces ?? (token.text === '' ? 0 : 1);
    wasHidden ||= operand?.text.wasHidden ?? token.escaped === true;
    isCoded ||= operand?.text.isCoded ?? token.escaped === true;
    at = operand?.next ?? first + 1;
    if (!isSign(tokens[at], '+') || !isOperand(tokens, at + 1)) break;
    at++;
  }
  return { text: { text, at: tokens[start]?.at ?? 0, pieces, wasHidden, isCoded }, next: at };
}

/** What the functions of a page may be reached through. */
const OWNERS = new Set(['window', 'self', 'globalThis', 'top', 'String']);
/** Names at which a text may begin. */
export const TEXT_WORDS = [...UNHIDES, ...OWNERS];
const operandAt = (tokens: readonly JsToken[], at: number): number =>
  tokens[at + 1]?.text === '.' && OWNERS.has(tokens[at]?.text ?? '') ? at + 2 : at;

function isOperand(tokens: readonly JsToken[], start: number): boolean {
  const at = operandAt(tokens, start);
  const token = tokens[at];
  if (token?.kind === 'string' || token?.kind === 'template') return true;
  return token?.kind === 'name' && UNHIDES.has(token.text) && unhidden(tokens, at) !== undefined;
}

/** A letter or digit that is encoded, or the address of another host. */
const HIDES = /%(?:u|3\d|[46][1-9a-f]|[57][0-9a])|(?:\/|%2f){2}/i;
/** A script tag of the page's own host in which only signs are encoded that would end the script. */
const isOwnTag = (encoded: string): boolean => /^\s*(?:<|%3C)script\s/i.test(encoded) && !HIDES.test(encoded);
const NESTED_MAX = 4;

function unhidden(tokens: readonly JsToken[], start: number): Folded | undefined {
  const names: string[] = [];
  let at = start;
  while (names.length < NESTED_MAX && UNHIDES.has(tokens[at]?.text ?? '') && isSign(tokens[at + 1], '(')) {
    names.push(tokens[at]?.text ?? '');
    at += 2;
  }
  if (names.length === 0) return undefined;
  if (names[0]?.startsWith('fromC')) return fromCodes(tokens, start);
  if (tokens[at]?.kind !== 'string' && tokens[at]?.kind !== 'template') return undefined;
  const inner = joinedTexts(tokens, at);
  let { text } = inner.text;
  for (const name of names.reverse()) text = name === 'atob' ? decodeBase64(text) : decodeUrl(text);
  let next = inner.next;
  for (let open = names.length; open > 0 && isSign(tokens[next], ')'); open--) next++;
  const isCoded = names.includes('atob') || inner.text.isCoded;
  return { text: { ...inner.text, text, wasHidden: !isOwnTag(inner.text.text), isCoded }, next };
}

/** Literal texts that are added up. */
function joinedTexts(tokens: readonly JsToken[], start: number): Folded {
  const parts: string[] = [];
  let at = start;
  while (true) {
    parts.push(tokens[at]?.text ?? '');
    at++;
    const after = tokens[at + 1];
    if (!isSign(tokens[at], '+') || (after?.kind !== 'string' && after?.kind !== 'template')) break;
    at++;
  }
  const isCoded = tokens[start]?.escaped === true;
  const text = { text: parts.join(''), at: tokens[start]?.at ?? 0, pieces: parts.length };
  return { text: { ...text, wasHidden: isCoded, isCoded }, next: at };
}

function fromCodes(tokens: readonly JsToken[], start: number): Folded | undefined {
  const codes: number[] = [];
  let at = start + 2;
  while (tokens[at]?.kind === 'number') {
    codes.push(Number(tokens[at]?.text) & 0xffff);
    at += isSign(tokens[at + 1], ',') ? 2 : 1;
  }
  if (codes.length === 0) return undefined;
  const text = codes.map((code) => String.fromCharCode(code)).join('');
  return {
    text: { text, at: tokens[start]?.at ?? 0, pieces: codes.length, wasHidden: true, isCoded: true },
    next: isSign(tokens[at], ')') ? at + 1 : at,
  };
}

/** Texts that are longer are read in their list as well as put together. */
const PIECE_CHARS = 12;

function joinedArray(tokens: readonly JsToken[], start: number): Folded | undefined {
  if (tokens[start + 1]?.kind !== 'string') return undefined;
  const parts: string[] = [];
  let at = start + 1;
  while (tokens[at]?.kind === 'string') {
    parts.push(tokens[at]?.text ?? '');
    at += isSign(tokens[at + 1], ',') ? 2 : 1;
  }
  if (parts.length < 2 || !isSign(tokens[at], ']')) return undefined;
  const isJoined =
    isSign(tokens[at + 1], '.') && (tokens[at + 2]?.text === 'join' || tokens[at + 2]?.text === 'reverse');
  const text = (tokens[at + 2]?.text === 'reverse' ? parts.reverse() : parts).join(isJoined ? '' : ' ');
  return {
    text: {
      text,
      at: tokens[start]?.at ?? 0,
      pieces: isJoined ? parts.length : 1,
      wasHidden: isJoined && text.length < parts.length * PIECE_CHARS,
      isCoded: false,
    },
    next: at + 1,
  };
}
