import {
  BLOCK_TOKENS,
  newBuckets,
  readBlock,
  type Vocabulary,
} from '../../../src/analysis/model/features.ts';
import type { Tokens } from '../../../src/analysis/model/tokens.ts';
import type { Sample } from './samples.ts';

/** A content as blocks of buckets. In multiple-instance learning a bag is positive when one window of it is. */
export interface Bag {
  readonly blocks: readonly Uint16Array[];
  readonly isMalicious: boolean;
  readonly weight: number;
  /** The windows that count: its first, and the one after its last. */
  readonly from: number;
  readonly to: number;
}

/** Ordinary code before and after a malicious one has so many tokens. */
const PADDING_TOKENS_MIN = 20;
const PADDING_TOKENS_MORE = 380;
/** A code from which padding is taken has as many at least. */
const PADDED_FROM_TOKENS = 800;
/** An excerpt of a clean one has so many tokens, mostly few. */
const EXCERPT_TOKENS_MIN = 10;
const EXCERPT_TOKENS_MORE = 200;
/** How much less each of many near copies counts. */
const COPY_POWER = 0.7;

const scratch = newBuckets();

function blocksOf(tokens: Tokens, vocabulary: Vocabulary): readonly Uint16Array[] {
  const blocks: Uint16Array[] = [];
  for (let from = 0; from < tokens.count; from += BLOCK_TOKENS)
    blocks.push(scratch.slice(0, readBlock(tokens, from, vocabulary, scratch)));
  return blocks;
}

const windowsOf = (blocks: readonly Uint16Array[]): number => Math.max(1, blocks.length - 1);

/** Every sample as a bag, and every malicious one a second time between pieces of ordinary code in the same language. */
export function bagsOf(
  samples: readonly Sample[],
  vocabulary: Vocabulary,
  random: () => number,
): readonly Bag[] {
  const ordinary = new Map<string, Tokens[]>();
  for (const { label, category, tokens } of samples) {
    if (label !== 'clean' || tokens.count <= PADDED_FROM_TOKENS) continue;
    const known = ordinary.get(category);
    if (known === undefined) ordinary.set(category, [tokens]);
    else known.push(tokens);
  }
  const piece = (category: string): Tokens => {
    const all = ordinary.get(category) ?? [];
    const tokens = all[Math.floor(random() * all.length)];
    if (tokens === undefined) throw new Error(`no clean ${category}`);
    const count = Math.floor(PADDING_TOKENS_MIN + random() * PADDING_TOKENS_MORE);
    return slice(tokens, Math.floor(random() * (tokens.count - count)), count);
  };
  return samples.flatMap(({ label, category, tokens, groupSize }) => {
    const isMalicious = label === 'malicious';
    const weight = isMalicious ? 1 / groupSize ** COPY_POWER : 1;
    const blocks = blocksOf(tokens, vocabulary);
    const alone: Bag = { blocks, isMalicious, weight, from: 0, to: windowsOf(blocks) };
    if (!isMalicious) {
      const part = blocksOf(excerptOf(tokens, random), vocabulary);
      return [alone, { ...alone, blocks: part, to: windowsOf(part) }];
    }
    const before = piece(category);
    const padded = blocksOf(join([before, tokens, piece(category)]), vocabulary);
    const last = Math.floor((before.count + tokens.count - 1) / BLOCK_TOKENS);
    const from = Math.max(0, Math.floor(before.count / BLOCK_TOKENS) - 1);
    return [alone, { ...alone, blocks: padded, from, to: Math.min(windowsOf(padded), last + 1) }];
  });
}

/** A few lines of a clean file: that a content is short speaks for nothing, though most malicious ones are. */
function excerptOf(tokens: Tokens, random: () => number): Tokens {
  const count = Math.min(
    tokens.count,
    Math.floor(EXCERPT_TOKENS_MIN + random() * random() * EXCERPT_TOKENS_MORE),
  );
  return slice(tokens, Math.floor(random() * (tokens.count - count)), count);
}

const slice = ({ texts, shapes, starts }: Tokens, from: number, count: number): Tokens => ({
  count,
  texts: texts.subarray(from, from + count),
  shapes: shapes.subarray(from, from + count),
  starts,
});

function join(pieces: readonly Tokens[]): Tokens {
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const whole = {
    count,
    texts: new Int32Array(count),
    shapes: new Int32Array(count),
    starts: new Int32Array(0),
  };
  let at = 0;
  for (const piece of pieces) {
    whole.texts.set(piece.texts, at);
    whole.shapes.set(piece.shapes, at);
    at += piece.count;
  }
  return whole;
}
