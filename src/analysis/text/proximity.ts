import type { Signal } from '../signal.ts';
import { reportsFraud } from './reported-fraud.ts';

/** Patterns that reveal a purpose if they are close together, in any order. They match lower-case text without accents. */
export interface Proximity {
  readonly signal: Signal;
  /** Searched in the whole text. */
  readonly anchor: RegExp;
  /** All must be near the anchor. */
  readonly needs: readonly RegExp[];
  /** Must not be near the anchor: an innocent context. */
  readonly without?: RegExp;
}

const NEAR_CHARS = 260;
const ANCHORS_MAX = 20;

/** Finds {@link Proximity} in lower-case text without accents. Linear: the number of anchors and the distance are limited. */
export function findProximate(
  plain: string,
  table: readonly Proximity[],
  report: (signal: Signal, at: number) => void,
): void {
  for (const { signal, anchor, needs, without } of table) {
    let tries = 0;
    for (const { 0: found, index } of plain.matchAll(anchor)) {
      if (++tries > ANCHORS_MAX) break;
      const around = plain.slice(Math.max(0, index - NEAR_CHARS), index + found.length + NEAR_CHARS);
      if (!needs.every((need) => need.test(around)) || without?.test(around) || reportsFraud(around))
        continue;
      report(signal, index);
      break;
    }
  }
}
