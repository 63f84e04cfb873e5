import type { RefusalReason, Verification } from './verification.ts';

/** Answers of license/verify with one outcome within an hour. */
export interface HourlyChecks {
  /** When the hour began, in milliseconds since the Unix epoch. */
  readonly hour: number;
  readonly outcome: Verification;
  readonly count: number;
}

export interface CheckSums {
  readonly valid: number;
  readonly refused: number;
}

/** The answers of a period. */
export interface CheckPeriod extends CheckSums {
  readonly startsAt: number;
}

const sumsOf = (checks: readonly HourlyChecks[]): CheckSums => {
  const valid = sum(checks.filter(({ outcome }) => outcome === 'valid'));
  return { valid, refused: sum(checks) - valid };
};

const sum = (checks: readonly Pick<HourlyChecks, 'count'>[]): number =>
  checks.reduce((all, { count }) => all + count, 0);

/** Sums from one moment to before another. */
export const checksBetween = (checks: readonly HourlyChecks[], from: number, until: number): CheckSums =>
  sumsOf(checks.filter(({ hour }) => hour >= from && hour < until));

/**
 * Splits the time before a moment into periods of equal length, the oldest first; the last one is not over.
 *
 * @param stepMs a whole number of hours, or of days in UTC
 */
export function checkPeriods(
  checks: readonly HourlyChecks[],
  { periods, stepMs }: { readonly periods: number; readonly stepMs: number },
  now: number,
): CheckPeriod[] {
  const last = now - (now % stepMs);
  const byPeriod = Map.groupBy(checks, ({ hour }) => hour - (hour % stepMs));
  return Array.from({ length: periods }, (_, index) => last - (periods - 1 - index) * stepMs).map(
    (startsAt) => ({
      startsAt,
      ...sumsOf(byPeriod.get(startsAt) ?? []),
    }),
  );
}

/** Why checks were refused from a moment on, the most frequent first. */
export function refusalReasons(
  checks: readonly HourlyChecks[],
  from: number,
): (readonly [RefusalReason, number])[] {
  const refused = checks.flatMap(({ hour, outcome, count }) =>
    hour >= from && outcome !== 'valid' ? { outcome, count } : [],
  );
  return [...Map.groupBy(refused, ({ outcome }) => outcome)]
    .map(([outcome, each]) => [outcome, sum(each)] as const)
    .sort(([, one], [, other]) => other - one);
}
