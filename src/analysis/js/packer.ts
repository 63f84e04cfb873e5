import type { JsToken } from './lexer.ts';

/** Maximum number of tokens of the decoder before the packed text. */
const DECODER_TOKENS_MAX = 400;
const PACKED_PER_SCRIPT_MAX = 4;
/** Limits the output, because a word may be long and used many times. */
const UNPACKED_CHARS_MAX = 128 * 1024;
const RADIX_USUAL = 62;
const RADIX_MAX = 95;

interface Packed {
  readonly payload: string;
  readonly radix: number;
  readonly words: readonly string[];
}

/**
 * Parses the output of Dean Edwards' packer in a call of `eval`: a text with numbers in place of words, and the list of words.
 * Many libraries are packed, so only the unpacked script counts.
 *
 * @param index of `eval`
 * @returns undefined for other calls
 */
export function packedAt(tokens: readonly JsToken[], index: number): Packed | undefined {
  if (tokens[index]?.text !== 'eval' || tokens[index + 1]?.text !== '(') return undefined;
  for (let at = index + 2; at < index + DECODER_TOKENS_MAX && at < tokens.length; at++) {
    const payload = tokens[at] as JsToken;
    if (payload.text === 'eval') return undefined;
    if (payload.kind !== 'string') continue;
    const numbers = [tokens[at + 2], tokens[at + 4]].filter((token) => token?.kind === 'number');
    const words = tokens[at + 2 + 2 * numbers.length];
    if (numbers.length === 0 || words?.kind !== 'string') continue;
    if (tokens[at + 4 + 2 * numbers.length]?.text !== 'split') continue;
    // A minifier may inline the usual radix, leaving only the number of words.
    const radix = numbers.length === 2 ? Math.min(Number(numbers[0]?.text), RADIX_MAX) : RADIX_USUAL;
    return { payload: payload.text, radix, words: words.text.split('|') };
  }
  return undefined;
}

function unpack({ payload, radix, words }: Packed): string {
  let script = '';
  let from = 0;
  for (const { 0: word, index } of payload.matchAll(/\b\w{1,6}\b/g)) {
    script += payload.slice(from, index) + (words[numberOf(word, radix)] || word);
    from = index + word.length;
    if (script.length > UNPACKED_CHARS_MAX) break;
  }
  return (script + payload.slice(from)).slice(0, UNPACKED_CHARS_MAX);
}

/** Digits are 0 to 9, a to z, then the characters from U+0041, which the packer counts from 36. */
function numberOf(word: string, radix: number): number {
  let value = 0;
  for (const char of word) {
    const code = char.charCodeAt(0);
    value = value * radix + (code >= 97 ? code - 87 : code >= 65 ? code - 29 : code - 48);
  }
  return value;
}

/** The unpacked scripts of the packed calls at some indices. */
export function unpackedScripts(tokens: readonly JsToken[], evals: readonly number[]): string[] {
  const packed: Packed[] = [];
  for (const at of evals) {
    const found = packed.length < PACKED_PER_SCRIPT_MAX ? packedAt(tokens, at) : undefined;
    if (found) packed.push(found);
  }
  return packed.map(unpack);
}
