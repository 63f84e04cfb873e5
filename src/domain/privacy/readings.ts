import { percentDecoded, plainText } from './normalise.ts';

const NOT_ASCII = /[^\0-\x7f]/;
const BASE64_RUN = /[A-Za-z0-9+/_-]{16}/;
/** Either alphabet by itself: the signs of the other one stand around what is encoded. */
const ALPHABETS = [/[A-Za-z0-9+/]{16,}/g, /[A-Za-z0-9_-]{16,}/g];

/**
 * Other readings of a text: in plain letters, without its percent escapes, and decoded from base64, each one level deep and on
 * separate lines. Decoded letters outside ASCII may be different ones.
 */
export function otherReadings(text: string): string {
  const readings: string[] = [];
  if (NOT_ASCII.test(text) && !isUnfolding(text)) readings.push(plainText(text));
  if (text.includes('%')) readings.push(percentDecoded(text) ?? '');
  if (BASE64_RUN.test(text)) {
    for (const pattern of ALPHABETS) {
      for (const [run] of text.matchAll(pattern))
        readings.push(Buffer.from(run, 'base64').toString('latin1'));
    }
  }
  return readings.join('\n');
}

/** Characters that expand to sentences would take much longer than the text's length suggests. */
const isUnfolding = (text: string): boolean => text.normalize('NFKD').length > 3 * text.length;
