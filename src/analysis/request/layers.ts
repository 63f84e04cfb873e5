import { decodeBase64, decodeEscapes, decodeHtml, decodeUrl, normalize } from '../decode.ts';

const ROUNDS_MAX = 4;
const VARIANTS_MAX = 7;
/** Longer values are read only fully decoded, without intermediate steps. */
const LONG_CHARS = 8 * 1024;
const BASE64 = /^[A-Za-z0-9+/_-]{12,}={0,2}$/;

/** The claims of a JSON Web Token (RFC 7519). */
const CLAIMS = /^(?:bearer\s{1,3})?eyJ[\w-]{8,2000}\.(eyJ[\w-]{8,8000})\.[\w-]{0,2000}$/i;

/** Readings of one value. */
export interface Layers {
  readonly variants: readonly string[];
  /** The fully decoded value. */
  readonly text: string;
  /** Number of nested percent-encodings. */
  readonly urlRounds: number;
}

/**
 * Decodes the encodings that attackers use: the value as sent, and after each step of percent-encoding, HTML references, escapes,
 * base64 and look-alike characters that changes it; at most seven variants.
 *
 * @param isForm whether `+` encodes a space
 */
export function layersOf(value: string, isForm: boolean): Layers {
  const variants = new Set<string>();
  const add = (text: string) => {
    if (variants.size < VARIANTS_MAX) variants.add(text);
  };
  let text = isForm ? value.replaceAll('+', ' ') : value;
  let urlRounds = 0;
  const isLong = value.length > LONG_CHARS;
  if (!isLong) add(text);
  // The plus sign may be literal.
  if (isForm && !isLong && value.includes('+')) add(value);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = text;
    const decoded = decodeUrl(text);
    if (decoded !== text) urlRounds++;
    text = decodeEscapes(decodeHtml(decoded));
    if (text === before) break;
    if (isLong) continue;
    add(decoded);
    add(text);
  }
  if (UTF7.test(value)) add(value.replace(new RegExp(UTF7, 'g'), utf7Run));
  const plain = normalize(text)
    .replace(/[\u0000\u200b-\u200f\ufeff\u00ad]|[\u00c0\u00c1](?=[./\\])/g, '')
    .replace(/[\u2018\u2019\u02b9\u02bc\u2032]/g, "'")
    .replace(/\u2013/g, '--');
  add(plain);
  // In a form, plus signs of base64 were decoded to spaces.
  const hidden = hiddenText(isForm && !plain.includes('+') ? plain.replaceAll(' ', '+') : plain);
  if (hidden !== undefined) add(hidden);
  return { variants: [...variants], text: plain, urlRounds };
}

/** A sequence in UTF-7 (RFC 2152), such as `+ADw-`. */
const UTF7 = /(?:\+|%2b)(A[A-Za-z0-9+/]{2,400})-/i;

function utf7Run(_: string, encoded: string): string {
  const bytes = Buffer.from(encoded, 'base64');
  let text = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes.readUInt16BE(at));
  return text;
}

/** Decodes base64 of a whole value, up to twice; undefined if the result is not text. */
function hiddenText(text: string, depth = 0): string | undefined {
  const trimmed = text.trim().replace(/^(?:data:[^,]{0,60};base64,|basic )/i, '');
  const claims = depth === 0 ? CLAIMS.exec(trimmed)?.[1] : undefined;
  if (claims !== undefined) return hiddenText(claims, depth + 1);
  if (!BASE64.test(trimmed) || !/[A-Z]/.test(trimmed) || !/[a-z]/.test(trimmed)) return undefined;
  const decoded = decodeBase64(trimmed);
  if (decoded.length < 6 || /[^\t\n\r\u0020-\u007e]/.test(decoded)) return undefined;
  return (depth < 1 ? hiddenText(decoded, depth + 1) : undefined) ?? decodeUrl(decoded);
}
