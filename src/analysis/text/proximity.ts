import type { Signal } from '../signal.ts';
import { reportsFraud } from './reported-fraud.ts';

/** Patterns that show a purpose when they are close to each other, in any order. Patterns read small letters without accents. */
export interface Proximity {
  readonly signal: Signal;
  /** Looked for in the whole text. */
  readonly anchor: RegExp;
  /** Every one of them stands near to the anchor. */
  readonly needs: readonly RegExp[];
  /** Must be absent: an innocent way of saying it. */
  readonly without?: RegExp;
}

const NEAR_CHARS = 260;
const ANCHORS_MAX = 20;

/** Finds {@link Proximity} in a text in small letters without accents. Linear: so many anchors, and so much around each. */
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
