import { decodeBase64, decodeUrl } from '../decode.ts';
import type { JsToken } from './lexer.ts';

/** A text of a script as it is at run time. */
export interface JsText {
  readonly text: string;
  readonly at: number;
  /** Number of pieces it is assembled from. */
  readonly pieces: number;
  /** Whether it was encoded. */
  readonly wasHidden: boolean;
  /** Whether its encoding is one that URLs never need: character codes, base64, numeric escapes, reversal. */
  readonly isCoded: boolean;
}

/** Decoding functions, by the last part of their names. */
export const DECODERS: ReadonlySet<string> = new Set([
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

/** Evaluates the texts of a script: concatenated literals, character codes, joined arrays, decoded strings. */
export function foldTexts(tokens: readonly JsToken[]): readonly JsText[] {
  const texts: JsText[] = [];
  let chars = 0;
  let at = 0;
  while (at < tokens.length && texts.length < TEXTS_MAX && chars < CHARS_MAX) {
    const { kind, text } = tokens[at] as JsToken;
    let folded: Folded | undefined;
    if (kind === 'sign') folded = text === '[' ? joinedArray(tokens, at) : undefined;
    else if (kind !== 'name' || DECODERS.has(text))
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
 * Replaces each concatenated or decoded text of a script by one token.
 *
 * @param telling indices at which texts may begin
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

/** Evaluates a concatenation of literals and decoded texts. */
function joined(tokens: readonly JsToken[], start: number): Folded {
  let text = '';
  let pieces = 0;
  let wasHidden = false;
  let isCoded = false;
  let at = start;
  while (true) {
    const first = operandAt(tokens, at);
    const operand = tokens[first]?.kind === 'name' ? decodedAt(tokens, first) : undefined;
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

/** Objects through which global functions are called. */
const OWNERS = new Set(['window', 'self', 'globalThis', 'top', 'String']);
/** Names with which a text expression may begin. */
export const TEXT_WORDS = [...DECODERS, ...OWNERS];
const operandAt = (tokens: readonly JsToken[], at: number): number =>
  tokens[at + 1]?.text === '.' && OWNERS.has(tokens[at]?.text ?? '') ? at + 2 : at;

function isOperand(tokens: readonly JsToken[], start: number): boolean {
  const at = operandAt(tokens, start);
  const token = tokens[at];
  if (token?.kind === 'string' || token?.kind === 'template') return true;
  return token?.kind === 'name' && DECODERS.has(token.text) && decodedAt(tokens, at) !== undefined;
}

/** An encoded letter or digit, or the URL of another host. */
const HIDES = /%(?:u|3\d|[46][1-9a-f]|[57][0-9a])|(?:\/|%2f){2}/i;
/** Whether it is a script tag for the page's own host, encoded only to protect the surrounding script element. */
const isOwnTag = (encoded: string): boolean => /^\s*(?:<|%3C)script\s/i.test(encoded) && !HIDES.test(encoded);
const NESTED_MAX = 4;

function decodedAt(tokens: readonly JsToken[], start: number): Folded | undefined {
  const names: string[] = [];
  let at = start;
  while (names.length < NESTED_MAX && DECODERS.has(tokens[at]?.text ?? '') && isSign(tokens[at + 1], '(')) {
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

/** Evaluates a concatenation of literals. */
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

/** Longer array elements are readable in the source, so joining them hides nothing. */
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
