import { createHash } from 'node:crypto';
import { latin1 } from '../decode.ts';
import { TEXT_MAX } from './value.ts';

type Texts = readonly string[];

const number = (text: string | undefined): number => Number.parseInt(text ?? '', 10) || 0;

/** Replaces all occurrences; undefined if the result is too long. */
export function replaceAll([search = '', replacement = '', text = '']: Texts): string | undefined {
  if (search === '') return text;
  const pieces = text.split(search);
  return pieces.length * replacement.length > TEXT_MAX ? undefined : pieces.join(replacement);
}

/** Evaluates `pack` for numbers and hexadecimal digits. */
export function pack([format = '', ...values]: Texts): string | undefined {
  if (/^H/.test(format)) return latin1(Buffer.from(values[0] ?? '', 'hex'));
  if (/^[Cc](?:\*|\d{0,3})$/.test(format) || /^[Cc]{1,99}$/.test(format))
    return values.map((value) => String.fromCharCode(number(value) & 255)).join('');
  return /^[Aa]\*?$/.test(format) ? values[0] : undefined;
}

const DIGITS_MAX = 40;

/** Converts a number to another base. Letters are digits from 10, so that numbers can encode names. */
export function convertBase([text = '', from = '', to = '']: Texts): string | undefined {
  const base = BigInt(Math.min(Math.max(number(from), 2), 36));
  const target = Math.min(Math.max(number(to), 2), 36);
  if (text.length > DIGITS_MAX) return undefined;
  let value = 0n;
  for (const char of text.toLowerCase()) {
    const digit = Number.parseInt(char, 36);
    if (digit < Number(base)) value = value * base + BigInt(digit);
  }
  return value.toString(target);
}

/** A pattern for one character class or one word. */
const SIMPLE_PATTERN = /^([/#~@!|])(\[\^?[\w\s.,;:_*+-]{1,40}\]|\\[sdwSDW]|[\w -]{1,40})(\+?)\1([iu]{0,2})$/;

/** Evaluates a replacement with a simple pattern; undefined for other patterns. */
export function replacePattern([pattern = '', replacement = '', text = '']: Texts): string | undefined {
  const [, , matched, more, flags] = SIMPLE_PATTERN.exec(pattern) ?? [];
  if (matched === undefined || /[$\\]/.test(replacement)) return undefined;
  try {
    return text.replace(new RegExp(`${matched}${more}`, `g${flags}`), () => replacement);
  } catch {
    return undefined;
  }
}

const digest = (algorithm: string, text: string): string =>
  createHash(algorithm).update(Buffer.from(text, 'latin1')).digest('hex');
export const md5 = ([text = '']: Texts): string => digest('md5', text);
export const sha1 = ([text = '']: Texts): string => digest('sha1', text);

/** Removes the characters of a list, by default white space, from the ends. */
export const trimmed =
  (ends: 'both' | 'start' | 'end') =>
  ([text = '', list]: Texts): string => {
    const chars = list ?? ' \t\n\r\0\v';
    let start = 0;
    let end = text.length;
    if (ends !== 'end') while (start < end && chars.includes(text[start] as string)) start++;
    if (ends !== 'start') while (end > start && chars.includes(text[end - 1] as string)) end--;
    return text.slice(start, end);
  };
