/**
 * The arithmetic of both scores. Each factor takes its share of what the factors before it left, as
 * independent hazards combine. Hence the sum cannot pass 100, no flaw is diluted by good values elsewhere,
 * and one large share is a hard limit: a share of 31 % alone keeps a score of 100 from staying above 69.
 * All shares are integers and every step is a non-decreasing function of them, so a worse input can never
 * give a better score by way of rounding.
 */

/** Shares are counted in millionths. */
const WHOLE_SHARE = 1_000_000;

/** The share for whole percents. */
export function shareFromPercent(percent: number): number {
  return percent * 10_000;
}

/** The remainder is counted in billionths, so that even very bad cases differ. */
const WHOLE_REMAINING = 1_000_000_000;

/**
 * What `count` equal items weigh, in percent of one: 100 for the first, `doublingPercent` more for each
 * doubling. One item is enough to matter; the thousandth is no longer news.
 */
export function spreadPercent(count: number, doublingPercent: number): number {
  return count === 0 ? 0 : 100 + doublingPercent * (31 - Math.clz32(count));
}

export interface Apportioned<Factor> {
  /** What no factor took, in billionths. */
  readonly remaining: number;
  /** The points taken by all factors: an integer, 0 to 100. */
  readonly points: number;
  /** The factors as given, each with the integer points it took. They add up to `points` exactly. */
  readonly factors: readonly (Factor & { readonly points: number })[];
}

/** Gives each factor its points, in the order given. Shares are integers, 0 to 950,000. */
export function apportion<Factor extends { readonly share: number }>(
  factors: readonly Factor[],
): Apportioned<Factor> {
  let remaining = WHOLE_REMAINING;
  let points = 0;
  const apportioned = factors.map((factor) => {
    remaining = Math.floor((remaining * (WHOLE_SHARE - factor.share)) / WHOLE_SHARE);
    const before = points;
    // Rounding the running total, not each factor, is what makes the points add up.
    points = Math.round((100 * (WHOLE_REMAINING - remaining)) / WHOLE_REMAINING);
    return { ...factor, points: points - before };
  });
  return { remaining, points, factors: apportioned };
}
