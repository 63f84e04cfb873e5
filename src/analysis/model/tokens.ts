import { Closings } from './closings.ts';

/** The tokens of a content, in arrays reused for the next content. */
export interface Tokens {
  count: number;
  /** Hash of the lower-case text. */
  texts: Int32Array;
  /** Class of an unknown word by length and characters; 0 for signs, which each have their own class. */
  shapes: Int32Array;
  /** Offsets in the content. */
  starts: Int32Array;
}

export const newTokens = (): Tokens => ({
  count: 0,
  texts: new Int32Array(0),
  shapes: new Int32Array(0),
  starts: new Int32Array(0),
});

const LOWER = 1;
const UPPER = 2;
const DIGIT = 4;
const LOW_LINE = 8;
const BEYOND_HEX = 16;
const FOREIGN = 32;
const DOLLAR = 64;
const BASE64_SIGN = 128;

const MIXED = LOWER | UPPER;
const BASE64 = MIXED | DIGIT;
/**
 * From this length, mixed-case letters in a text may continue as base64; otherwise an embedded image would fill whole windows.
 */
const BASE64_CHARS_MIN = 16;

/** Character classes; 0 = not part of a word. */
const KINDS = new Uint8Array(0x10000);
const LOWERED = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  LOWERED[code] = char.toLowerCase().charCodeAt(0);
  if (/[a-f]/.test(char)) KINDS[code] = LOWER;
  else if (/[A-F]/.test(char)) KINDS[code] = UPPER;
  else if (/[g-z]/.test(char)) KINDS[code] = LOWER | BEYOND_HEX;
  else if (/[G-Z]/.test(char)) KINDS[code] = UPPER | BEYOND_HEX;
  else if (/\d/.test(char)) KINDS[code] = DIGIT;
  else if (char === '_') KINDS[code] = LOW_LINE;
}

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;
const OPENING_TAG = 0x3f3c;
const STRING = 0x5354;
const SHAPE = 0x53480000;
const [DOUBLE, HASH, DOLLAR_SIGN, SINGLE, STAR, PLUS, SLASH] = [34, 35, 36, 39, 42, 43, 47];
const [COLON, LESS, EQUALS, QUESTION, BACK_TICK] = [58, 60, 61, 63, 96];

/** The hash that represents a sign. */
export const signHash = (sign: string): number => Math.imul(sign.charCodeAt(0), FNV_PRIME);

/** Whether a word by its shape has letters. */
export const hasLetters = (shape: number): boolean => ((shape >> 8) & MIXED) !== 0;
/** Whether the shape looks like base64: letters of both cases and digits. */
export const isData = (shape: number): boolean => ((shape >> 8) & BASE64) === BASE64;

/** Length class on a logarithmic scale. */
const lengthClass = (length: number): number => 32 - Math.clz32(length);

/**
 * Tokenises code of any language in one pass: words, signs, and one token for the length of each string, followed by its words.
 * Omits comments, white space and foreign letters, because author and language say nothing about the effect.
 */
export function readTokens(content: string, into: Tokens): void {
  const { length } = content;
  if (into.texts.length < length) {
    into.texts = new Int32Array(length);
    into.shapes = new Int32Array(length);
    into.starts = new Int32Array(length);
  }
  const { texts, shapes, starts } = into;
  const units = unitsOf(content);
  const kindOf = KINDS;
  const lowered = LOWERED;
  const { imul } = Math;
  let count = 0;
  let stringEnd = -1;
  const closings = new Closings(content);
  let at = 0;
  while (at < length) {
    const code = units[at] as number;
    const kind = kindOf[code] as number;
    if (kind !== 0 || (code === DOLLAR_SIGN && at + 1 < length)) {
      const start = at;
      let hash = FNV_OFFSET;
      let kinds = 0;
      if (kind === 0) {
        hash = imul(hash ^ code, FNV_PRIME);
        kinds = DOLLAR;
        at++;
      }
      while (true) {
        let next = units[at] as number;
        let nextKind = kindOf[next] as number;
        while (nextKind !== 0) {
          kinds |= nextKind;
          hash = imul(hash ^ (lowered[next] as number), FNV_PRIME);
          next = units[++at] as number;
          nextKind = kindOf[next] as number;
        }
        if (next >= 128) {
          if ((kinds & DOLLAR) === 0) break;
          kinds |= FOREIGN;
        } else {
          if (at >= stringEnd || at - start < BASE64_CHARS_MIN || (kinds & MIXED) !== MIXED) break;
          if (next !== PLUS && next !== SLASH && next !== EQUALS) break;
          kinds |= BASE64_SIGN;
        }
        hash = imul(hash ^ next, FNV_PRIME);
        at++;
      }
      texts[count] = hash;
      // Short numbers and a lone `$` have no shape.
      shapes[count] =
        (kinds === DIGIT && at - start < 3) || kinds === DOLLAR
          ? 0
          : SHAPE | (kinds << 8) | lengthClass(at - start);
      starts[count++] = start;
      continue;
    }
    if (code <= 32 || code > 126) {
      at++;
      continue;
    }
    if (at > stringEnd) {
      const after = commentEnd(content, at, code, closings);
      if (after > at) {
        at = after;
        continue;
      }
      if (code === DOUBLE || code === SINGLE || code === BACK_TICK) {
        const isApostrophe = code === SINGLE && at > 0 && isWordPart(content.charCodeAt(at - 1));
        const end = isApostrophe ? -1 : closings.quote(at, code);
        if (end > 0) {
          stringEnd = end;
          texts[count] = imul(STRING + lengthClass(end - at - 1), FNV_PRIME);
          shapes[count] = 0;
          starts[count++] = at++;
          continue;
        }
      }
    } else if (at === stringEnd) {
      at++;
      continue;
    }
    const isTag = code === LESS && content.charCodeAt(at + 1) === QUESTION;
    texts[count] = imul(isTag ? OPENING_TAG : code, FNV_PRIME);
    shapes[count] = 0;
    starts[count++] = at;
    if (!isTag) at++;
    else at += content.startsWith('php', at + 2) ? 5 : 2;
  }
  into.count = count;
}

/** Buffer for the code units of a content, reused for the next content. */
let room = new Uint16Array(0);

/** The code units of a content, which are faster to read than a string, followed by a terminator. */
function unitsOf(content: string): Uint16Array {
  const { length } = content;
  if (room.length <= length) room = new Uint16Array(length + 1);
  Buffer.from(room.buffer).write(content, 'utf16le');
  room[length] = 0;
  return room;
}

const isWordPart = (code: number): boolean => KINDS[code] !== 0;

/** Offset after the comment that begins here; the same offset if none does. */
function commentEnd(content: string, at: number, code: number, closings: Closings): number {
  if (code === SLASH) {
    const next = content.charCodeAt(at + 1);
    if (next === STAR) return closings.block(at);
    // `://` in markup is part of a URL.
    return next === SLASH && content.charCodeAt(at - 1) !== COLON ? closings.line(at) : at;
  }
  if (code === HASH) return at === 0 || content.charCodeAt(at - 1) <= 32 ? closings.line(at) : at;
  return code === LESS && content.startsWith('<!--', at) ? closings.markup(at) : at;
}
