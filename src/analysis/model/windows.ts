import { BLOCK_TOKENS, newBuckets, readBlock } from './features.ts';
import { hasLetters, isData, signHash, type Tokens } from './tokens.ts';
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

const [CALL, TAG, SETS, OPENS] = ['(', '<', '=', '['].map(signHash);
/** A table is held by a name or two. */
const SETS_MAX = 2;

/** What is read in a table are words; codes and numbers are what a script is made of that hides. */
const WORDS_SHARE = 0.25;
const DATA_SHARE = 0.4;

/**
 * Whether a window of a script is a table: texts that are translated, certificates, lists. It calls nothing and sets hardly
 * anything, so that it does nothing by itself.
 */
function isTable({ texts, shapes }: Tokens, from: number, to: number): boolean {
  let sets = 0;
  let words = 0;
  let data = 0;
  for (let at = from; at < to; at++) {
    const shape = shapes[at] as number;
    if (shape !== 0) {
      if (hasLetters(shape)) words++;
      if (isData(shape)) data++;
      continue;
    }
    const sign = texts[at];
    if (sign === CALL || sign === TAG) return false;
    if (sign === SETS) sets++;
    // Kinds[Kinds["name"] = 1] = "name": how compilers write an enumeration.
    else if (sign === OPENS && texts[at - 1] === texts[at + 1] && texts[at + 2] === OPENS) sets -= 2;
  }
  // What is short may be a whole script, unless it is a font or a picture.
  const isOne = to >= 2 * BLOCK_TOKENS || data > words * DATA_SHARE;
  return isOne && sets <= SETS_MAX && words > (to - from) * WORDS_SHARE;
}

/**
 * The window with the highest score; undefined when there are no tokens.
 *
 * @param withTables whether tables count
 */
export function worstWindow(
  tokens: Tokens,
  { vocabulary, weights, unit, bias }: Weights,
  withTables: boolean,
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
      const [first, end] = [Math.max(0, from - BLOCK_TOKENS), Math.min(tokens.count, from + BLOCK_TOKENS)];
      const isWorst = worst === undefined || score > worst.score;
      if (isWorst && (withTables || !isTable(tokens, first, end))) worst = { score, from: first, to: end };
    }
    sumBefore = sum;
    foundBefore = found;
  }
  return worst;
}
