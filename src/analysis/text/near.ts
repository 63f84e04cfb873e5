import type { Signal } from '../signal.ts';
import { isToldIn } from './told.ts';

/** Things that tell of a purpose where they stand near to each other, in whatever order. Patterns read small letters without accents. */
export interface Near {
  readonly signal: Signal;
  /** Looked for in the whole text. */
  readonly anchor: RegExp;
  /** Every one of them stands near to the anchor. */
  readonly needs: readonly RegExp[];
  /** Nothing of it stands there: a way of saying it that is innocent. */
  readonly without?: RegExp;
}

const NEAR_CHARS = 260;
const ANCHORS_MAX = 20;

/** Finds {@link Near} in a text in small letters without accents. Linear: so many anchors, and so much around each. */
export function findNear(
  plain: string,
  table: readonly Near[],
  report: (signal: Signal, at: number) => void,
): void {
  for (const { signal, anchor, needs, without } of table) {
    let tries = 0;
    for (const { 0: found, index } of plain.matchAll(anchor)) {
      if (++tries > ANCHORS_MAX) break;
      const around = plain.slice(Math.max(0, index - NEAR_CHARS), index + found.length + NEAR_CHARS);
      if (!needs.every((need) => need.test(around)) || without?.test(around) || isToldIn(around)) continue;
      report(signal, index);
      break;
    }
  }
}
