import { DAY_MS, HOUR_MS } from '../lib/clock.ts';
import { dateOf, exactTime } from '../pages/time.tsx';

export const SPANS = ['24h', '7d', '30d'] as const;
export type Span = (typeof SPANS)[number];

export const PERIODS: Readonly<Record<Span, { readonly periods: number; readonly stepMs: number }>> = {
  '24h': { periods: 24, stepMs: HOUR_MS },
  '7d': { periods: 28, stepMs: 6 * HOUR_MS },
  '30d': { periods: 30, stepMs: DAY_MS },
};

/** Returns the label of a column. */
export const periodLabel = (startsAt: number, span: Span): string =>
  span === '24h' ? exactTime(startsAt).slice(-9, -4) : dateOf(startsAt).slice(0, -5);

/** The time range of each chart. */
export interface Spans {
  readonly checks: Span;
  readonly events: Span;
}
