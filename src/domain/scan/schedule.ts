import { hash } from 'node:crypto';
import { HOUR_MS } from '../../lib/clock.ts';

/** Once a day, a week, or 30 days. */
export const SCHEDULE_HOURS = [24, 168, 720] as const;
export type ScheduleHours = (typeof SCHEDULE_HOURS)[number];

const PHASE_DIGITS = 12;

/**
 * When a site is due next, in milliseconds since the Unix epoch: each has a separate moment within its interval, so that sites
 * are not all scanned at midnight. After any number of missed times there is one next time.
 *
 * @param sitePublicId determines the moment
 */
export function nextDueAt(sitePublicId: string, intervalHours: ScheduleHours, nowMs: number): number {
  const intervalMs = intervalHours * HOUR_MS;
  const phaseMs = Number.parseInt(hash('sha256', sitePublicId).slice(0, PHASE_DIGITS), 16) % intervalMs;
  return Math.floor((nowMs - phaseMs) / intervalMs) * intervalMs + phaseMs + intervalMs;
}
