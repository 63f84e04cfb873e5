import { BLOCK_TOKENS, newBuckets, readBlock } from './features.ts';
import { hasLetters, isData, signHash, type Tokens } from './tokens.ts';
import type { Weights } from './weights.ts';

/** The most suspicious part of a content. */
export interface Window {
  readonly score: number;
  /** Index of its first token and of the one after its last. */
  readonly from: number;
  readonly to: number;
}

const buckets = newBuckets();

/** Scales a sum of weights by their number, because longer parts have more of everything. */
export const scaleOf = (found: number): number => 10 / Math.sqrt(found + 50);

const [CALL, TAG, SETS, OPENS] = ['(', '<', '=', '['].map(signHash);
/** Maximum number of assignments in a table. */
const SETS_MAX = 2;

/** Minimum share of words in a table, and of data in a short one; obfuscated scripts consist of codes and numbers. */
const WORDS_SHARE = 0.25;
const DATA_SHARE = 0.4;

/**
 * Whether a window of a script is a table: translations, certificates, lists. It contains no calls and hardly any assignments, so
 * it has no effect.
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
    // Kinds[Kinds["name"] = 1] = "name": a compiled enumeration.
    else if (sign === OPENS && texts[at - 1] === texts[at + 1] && texts[at + 2] === OPENS) sets -= 2;
  }
  // A short window may be a whole script, unless it is a font or picture.
  const isOne = to >= 2 * BLOCK_TOKENS || data > words * DATA_SHARE;
  return isOne && sets <= SETS_MAX && words > (to - from) * WORDS_SHARE;
}

/**
 * The window with the highest score; undefined without tokens.
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
    // The first block, unless it is the last, is half of the next window.
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
