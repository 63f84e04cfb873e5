import { expect, test } from 'bun:test';
import { eventPeriods, eventsBetween } from '../../src/domain/event/event-counts.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { NewEventCount } from '../../src/storage/sites/event-counts.ts';
import { startEventCounts } from '../../src/tasks/event-counts.ts';

const HOUR = 1_000 * HOUR_MS;

function started() {
  const written: { hour: number; counts: readonly NewEventCount[] }[] = [];
  const at = { now: HOUR + 5, isRefused: false };
  const { countEvents, stop } = startEventCounts({
    clock: { now: () => at.now },
    after: () => () => {},
    log: silentLog,
    writer: {
      write: (async (_: string, input: (typeof written)[number]) => {
        if (at.isRefused) return refuse('STORE_UNAVAILABLE', 'The store is full.');
        written.push(input);
        return undefined;
      }) as never,
    },
  });
  return { at, countEvents, stop, written };
}
const event = (type: string) => ({ type, severity: 'high' }) as const;

test('events are counted by hour, severity and type, and written together', async () => {
  const { countEvents, stop, written } = started();
  countEvents([event('xss_blocked'), event('xss_blocked'), { type: 'xss_blocked', severity: 'low' }]);
  countEvents([event('sql')]);
  await stop();
  expect(written).toEqual([
    {
      hour: HOUR,
      counts: [
        { severity: 'high', type: 'xss_blocked', count: 2 },
        { severity: 'low', type: 'xss_blocked', count: 1 },
        { severity: 'high', type: 'sql', count: 1 },
      ],
    },
  ]);
});

test('types of an hour are bounded: further ones are counted together, and the next hour begins again', async () => {
  const { at, countEvents, stop, written } = started();
  countEvents(Array.from({ length: 100 }, (_, index) => event(`type_${index}`)));
  at.now += HOUR_MS;
  countEvents([event('type_99')]);
  await stop();
  const counts = written[0]?.counts ?? [];
  expect(counts.find(({ type }) => type === 'other')?.count).toBe(61);
  expect(counts.length).toBe(41);
});

test('counts that cannot be written are kept', async () => {
  const { at, countEvents, stop, written } = started();
  at.isRefused = true;
  countEvents([event('xss_blocked')]);
  await stop();
  expect(written).toEqual([]);
});

test('periods and sums count each event once', () => {
  const now = 2_000 * DAY_MS + 5 * HOUR_MS;
  const events = Array.from({ length: 48 }, (_, ago) => ({
    hour: now - ago * HOUR_MS,
    count: 1,
    severity: ago % 2 === 0 ? ('low' as const) : ('critical' as const),
  }));
  const day = eventPeriods(events, { periods: 24, stepMs: HOUR_MS }, now);
  expect([day.length, day.at(-1)]).toEqual([
    24,
    expect.objectContaining({ startsAt: now, low: 1, critical: 0 }),
  ]);
  expect(eventsBetween(events, day[0]?.startsAt ?? 0, now + 1)).toBe(24);
  const days = eventPeriods(events, { periods: 3, stepMs: DAY_MS }, now);
  expect(days.map(({ low, critical }) => low + critical)).toEqual([18, 24, 6]);
});
