import { DAY_MS } from '../../lib/clock.ts';

/** Whole days from one moment to another, both in milliseconds; never negative. */
export const daysBetween = (fromMs: number, toMs: number): number =>
  Math.max(0, Math.floor((toMs - fromMs) / DAY_MS));

/** Whole days as evidence tells them. */
export function ago(days: number): string {
  if (days === 0) return 'less than a day ago';
  return days === 1 ? 'a day ago' : `${days} days ago`;
}
