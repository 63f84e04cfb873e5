import type { Tokens } from './tokens.ts';

/** Bits of a bucket number. N-grams in the same bucket share a weight. */
const BUCKET_BITS = 16;
export const BUCKETS = 2 ** BUCKET_BITS;
/** Bits of a word's position in the vocabulary. */
const WORD_BITS = 17;
export const VOCABULARY_BYTES = 2 ** WORD_BITS / 8;
/** Tokens per block. A window has two blocks, so that windows overlap by half and each token is read once. */
export const BLOCK_TOKENS = 200;

const GOLDEN = 0x9e3779b1;
const PAIR = 0x2222;
const TRIPLE = 0x3333;

/** The position of a word in the vocabulary. */
export const wordAt = (text: number): number => Math.imul(text, GOLDEN) >>> (32 - WORD_BITS);

/** A bit set of known words; unknown words are represented by their shape. */
export type Vocabulary = Uint8Array;

/** Capacity for one block. */
export const newBuckets = (): Uint16Array => new Uint16Array(3 * BLOCK_TOKENS);

const seen = new Uint32Array(BUCKETS);
let blocksRead = 0;

/** Writes the distinct buckets of all tokens, pairs and triples of a block; returns their number. */
export function readBlock(tokens: Tokens, from: number, vocabulary: Vocabulary, into: Uint16Array): number {
  const to = Math.min(tokens.count, from + BLOCK_TOKENS);
  if (++blocksRead === 0xffffffff) {
    seen.fill(0);
    blocksRead = 1;
  }
  const { imul } = Math;
  const { texts, shapes } = tokens;
  let found = 0;
  let last = from > 0 ? tokenAt(tokens, from - 1, vocabulary) : 0;
  let pair = from > 1 ? (Math.imul(tokenAt(tokens, from - 2, vocabulary), 31) + last) | 0 : last;
  for (let at = from; at < to; at++) {
    let token = texts[at] as number;
    const shape = shapes[at] as number;
    // Inlined `tokenAt`: a call per token would double the time.
    if (shape !== 0) {
      const word = imul(token, GOLDEN) >>> (32 - WORD_BITS);
      if ((((vocabulary[word >> 3] as number) >> (word & 7)) & 1) === 0) token = shape;
    }
    const triple = (imul(pair, 31) + token) | 0;
    pair = (imul(last, 31) + token) | 0;
    last = token;
    const one = imul(token + 1, GOLDEN) >>> (32 - BUCKET_BITS);
    const two = imul(pair ^ PAIR, GOLDEN) >>> (32 - BUCKET_BITS);
    const three = imul(triple ^ TRIPLE, GOLDEN) >>> (32 - BUCKET_BITS);
    if (seen[one] !== blocksRead) {
      seen[one] = blocksRead;
      into[found++] = one;
    }
    if (seen[two] !== blocksRead) {
      seen[two] = blocksRead;
      into[found++] = two;
    }
    if (seen[three] !== blocksRead) {
      seen[three] = blocksRead;
      into[found++] = three;
    }
  }
  return found;
}

function tokenAt({ texts, shapes }: Tokens, at: number, vocabulary: Vocabulary): number {
  const text = texts[at] as number;
  if (shapes[at] === 0) return text;
  const word = wordAt(text);
  const isKnown = (((vocabulary[word >> 3] as number) >> (word & 7)) & 1) === 1;
  return isKnown ? text : (shapes[at] as number);
}
