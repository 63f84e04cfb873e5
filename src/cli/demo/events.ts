import type { SiteEvent } from '../../domain/event/events.ts';
import { severityByType } from '../../domain/severity.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/clock.ts';
import type { Story } from './customers.ts';

export const DEMO_DAYS = 30;

/** Every tenth day of the month, attackers were busier for three days. */
const WAVE_DAYS_AGO: readonly number[] = [11, 12, 13];
/** Attacks that a plugin blocks every day, the most frequent first. */
const BLOCKED = [
  'login_bruteforce_blocked',
  'login_bruteforce_blocked',
  'vulnerability_scan_blocked',
  'sql_injection_blocked',
  'xss_blocked',
  'file_upload_blocked',
] as const;
/** Share of a day's attacks by the hour, UTC: fewer at night. */
export const BY_HOUR = [2, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 7, 7, 6, 7, 7, 6, 6, 5, 5, 5, 4, 3, 2];

/** Mulberry32: the same numbers for the same seed. Between 0 and 1. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const eventAt = (type: string, occurredAt: number, severity = severityByType(type)): SiteEvent => ({
  type,
  severity,
  occurredAt,
  message: null,
  eventId: null,
  metadata: null,
});

function hourFrom(random: () => number): number {
  let left = random() * BY_HOUR.reduce((sum, share) => sum + share, 0);
  return BY_HOUR.findIndex((share) => {
    left -= share;
    return left < 0;
  });
}

/** Of all days of a site, those on which something harmless is reported. */
const ROUTINE_SHARE = 0.3;

/** Reports of a day without need for action: blocked attacks and routine, oldest first. */
export function blockedOn(daysAgo: number, story: Story, random: () => number, now: number): SiteEvent[] {
  const midnight = now - (now % DAY_MS) - daysAgo * DAY_MS;
  const usual = story === 'attacked' ? 5 : 2;
  const count = Math.round(usual * (0.5 + random()) * (WAVE_DAYS_AGO.includes(daysAgo) ? 4 : 1));
  const moment = () => midnight + hourFrom(random) * HOUR_MS + Math.floor(random() * HOUR_MS);
  const routine = random() < ROUTINE_SHARE ? [eventAt('plugin_updated', moment(), 'info')] : [];
  const attacks = Array.from({ length: count }, () => {
    const type = BLOCKED[Math.floor(random() ** 1.5 * BLOCKED.length)] ?? BLOCKED[0];
    return eventAt(type, moment());
  });
  return [...routine, ...attacks]
    .filter(({ occurredAt }) => occurredAt < now)
    .sort((one, other) => one.occurredAt - other.occurredAt);
}

/** What a site reported that needs a person, by its story. */
export function incidentsOf(story: Story, index: number, now: number): SiteEvent[] {
  if (story === 'overrun')
    return [
      eventAt('webshell_found', now - 8 * MINUTE_MS, 'critical'),
      eventAt('malware_found', now - 3 * HOUR_MS, 'critical'),
    ];
  if (story === 'infected')
    return [
      eventAt('webshell_found', now - (8 + 50 * index) * MINUTE_MS, 'critical'),
      eventAt('admin_created', now - (20 + 50 * index) * MINUTE_MS, 'high'),
    ];
  if (story === 'attacked') return [eventAt('login_bruteforce', now - (2 + index) * HOUR_MS, 'high')];
  if (story === 'quiet' && index % 9 === 4)
    return [
      eventAt('malware_found', now - 5 * DAY_MS, 'critical'),
      eventAt('malware_removed', now - 5 * DAY_MS + 3 * HOUR_MS, 'critical'),
    ];
  return [];
}
