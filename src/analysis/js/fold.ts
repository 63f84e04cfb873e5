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
  /** Whether one did that nobody uses for an address: codes, base64, numeric escapes, reversed. */
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
    const token = tokens[at] as JsToken;
    const folded =
      token.kind === 'string' || token.kind === 'template'
        ? joined(tokens, at)
        : token.kind === 'name' && UNHIDES.has(token.text)
          ? unhidden(tokens, at)
          : isSign(token, '[')
            ? joinedArray(tokens, at)
            : undefined;
    if (folded === undefined) at++;
    else {
      texts.push(folded.text);
      chars += folded.text.text.length;
      at = folded.next;
    }
  }
  return texts;
}

interface Folded {
  readonly text: JsText;
  readonly next: number;
}

function joined(tokens: readonly JsToken[], start: number): Folded {
  const parts: string[] = [];
  let at = start;
  while (true) {
    parts.push(tokens[at]?.text ?? '');
    at++;
    const after = tokens[at + 1];
    if (!isSign(tokens[at], '+') || (after?.kind !== 'string' && after?.kind !== 'template')) break;
    at++;
  }
  let text = parts.join('');
  let wasHidden = tokens[start]?.escaped === true;
  // "...".split("").reverse().join("")
  if (
    isSign(tokens[at], '.') &&
    tokens[at + 1]?.text === 'split' &&
    tokens.slice(at, at + 12).some((token) => token.text === 'reverse')
  ) {
    text = [...text].reverse().join('');
    wasHidden = true;
  }
  const place = tokens[start]?.at ?? 0;
  return { text: { text, at: place, pieces: parts.length, wasHidden, isCoded: wasHidden }, next: at };
}

function unhidden(tokens: readonly JsToken[], start: number): Folded | undefined {
  const name = tokens[start]?.text ?? '';
  if (!isSign(tokens[start + 1], '(')) return undefined;
  const first = tokens[start + 2];
  if (name.startsWith('fromC')) return fromCodes(tokens, start);
  if (first?.kind !== 'string' && first?.kind !== 'template') return undefined;
  const inner = joined(tokens, start + 2);
  const text = name === 'atob' ? decodeBase64(inner.text.text) : decodeUrl(inner.text.text);
  const isCoded = name === 'atob' || inner.text.isCoded;
  return { text: { ...inner.text, text, wasHidden: true, isCoded }, next: inner.next };
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
    next: at,
  };
}

function joinedArray(tokens: readonly JsToken[], start: number): Folded | undefined {
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
      wasHidden: isJoined,
      isCoded: false,
    },
    next: at + 1,
  };
}
