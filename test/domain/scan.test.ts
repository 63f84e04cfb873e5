import { describe, expect, test } from 'bun:test';
import * as fc from 'fast-check';
import { type ScanFacts, scanStatus } from '../../src/domain/scan/scan.ts';
import { nextDueAt, SCHEDULE_HOURS } from '../../src/domain/scan/schedule.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { newOpaqueId } from '../../src/lib/opaque-id.ts';

const NEW: ScanFacts = { queuedAt: 1, startedAt: null, finishedAt: null, canceledAt: null, failure: null };

test.each<[string, Partial<ScanFacts>]>([
  ['queued', {}],
  ['running', { startedAt: 2 }],
  ['running', { startedAt: 2, canceledAt: 3 }],
  ['done', { startedAt: 2, finishedAt: 3 }],
  ['failed', { startedAt: 2, finishedAt: 3, failure: 'interrupted' }],
  ['canceled', { canceledAt: 2, finishedAt: 2 }],
  ['canceled', { startedAt: 2, canceledAt: 3, finishedAt: 4, failure: 'timed_out' }],
])('a scan is %s by its facts: %j', (status, facts) => {
  expect<string>(scanStatus({ ...NEW, ...facts })).toBe(status);
});

test('scans have random names', () => {
  const names = Array.from({ length: 1_000 }, newOpaqueId);
  expect(new Set(names).size).toBe(1_000);
  for (const name of names) expect(name).toMatch(/^[0-9A-Za-z]{22}$/);
});

describe('a schedule', () => {
  const sites = fc.string({ minLength: 1, maxLength: 24 });
  const hours = fc.constantFrom(...SCHEDULE_HOURS);

  test('is due within its interval, once in each, after any pause', () => {
    fc.assert(
      fc.property(
        sites,
        hours,
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 400 }),
        (site, every, now, days) => {
          const next = nextDueAt(site, every, now);
          expect(next).toBeGreaterThan(now);
          expect(next).toBeLessThanOrEqual(now + every * HOUR_MS);
          expect(nextDueAt(site, every, next)).toBe(next + every * HOUR_MS);
          const later = now + days * DAY_MS;
          expect((nextDueAt(site, every, later) - next) % (every * HOUR_MS)).toBe(0);
        },
      ),
    );
  });

  test('has a separate moment for each site, so that no hour has many more than another', () => {
    const perHour = Array.from({ length: 24 }, () => 0);
    for (let site = 0; site < 2_400; site++) {
      const hour = Math.floor((nextDueAt(`site ${site}`, 24, 0) % DAY_MS) / HOUR_MS);
      perHour[hour] = (perHour[hour] ?? 0) + 1;
    }
    expect(Math.max(...perHour)).toBeLessThan(150);
    expect(Math.min(...perHour)).toBeGreaterThan(60);
  });
});
