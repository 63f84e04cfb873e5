import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import { BY_HOUR, randomFrom } from './events.ts';

const DAYS = 40;
/** Checks of an average hour. */
const USUAL = 420;
/** Of every thousand checks. */
const REFUSED = {
  site_limit_reached: 13,
  expired: 8,
  unknown_key: 5,
  suspended: 3,
  blocked_domain: 1,
} as const;

/** License checks by the hour: fewer at night and on weekends, a little more each week. */
export function demoChecks(now: number): Job[] {
  const random = randomFrom(7);
  const average = BY_HOUR.reduce((sum, share) => sum + share, 0) / BY_HOUR.length;
  const last = now - (now % HOUR_MS);
  return Array.from({ length: DAYS * 24 }, (_, ago): Job => {
    const hour = last - ago * HOUR_MS;
    const date = new Date(hour);
    const isWeekend = [0, 6].includes(date.getUTCDay());
    const rhythm = ((BY_HOUR[date.getUTCHours()] ?? average) / average) * (isWeekend ? 0.7 : 1);
    const growth = 1 - (0.12 * (last - hour)) / (DAYS * DAY_MS);
    const elapsed = ago === 0 ? (now - last) / HOUR_MS : 1;
    const valid = Math.round(USUAL * rhythm * growth * elapsed * (0.9 + 0.2 * random()));
    const refused = Object.entries(REFUSED).map(
      ([reason, share]) =>
        [reason as keyof typeof REFUSED, Math.round((valid * share * 2 * random()) / 1_000)] as const,
    );
    const counts = [['valid', valid] as const, ...refused].filter(([, count]) => count > 0);
    return { name: 'addLicenseChecks', input: { hour, counts } };
  });
}
