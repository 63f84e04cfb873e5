import { BLOCK_TOKENS, newBuckets, readBlock } from './features.ts';
import type { Tokens } from './tokens.ts';
import type { Weights } from './weights.ts';

/** The part of a content that looks worst. */
export interface Window {
  readonly score: number;
  /** Its first token and the one after its last. */
  readonly from: number;
  readonly to: number;
}

const buckets = newBuckets();

/** How a sum of so many weights counts: what is long has more of everything. */
export const scaleOf = (found: number): number => 10 / Math.sqrt(found + 50);

/** The window with the highest score; undefined when there are no tokens. */
export function worstWindow(
  tokens: Tokens,
  { vocabulary, weights, unit, bias }: Weights,
): Window | undefined {
  let worst: { score: number; from: number; to: number } | undefined;
  let sumBefore = 0;
  let foundBefore = 0;
  for (let from = 0; from < tokens.count; from += BLOCK_TOKENS) {
    const found = readBlock(tokens, from, vocabulary, buckets);
    let sum = 0;
    for (let at = 0; at < found; at++) sum += weights[buckets[at] as number] as number;
    // A first block that is not the last is half of the window that follows.
    if (from > 0 || tokens.count <= BLOCK_TOKENS) {
      const score = bias + (sum + sumBefore) * unit * scaleOf(found + foundBefore);
      if (worst === undefined || score > worst.score)
        worst = {
          score,
          from: Math.max(0, from - BLOCK_TOKENS),
          to: Math.min(tokens.count, from + BLOCK_TOKENS),
        };
    }
    sumBefore = sum;
    foundBefore = found;
  }
  return worst;
}
