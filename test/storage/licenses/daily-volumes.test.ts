import { expect, test } from 'bun:test';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { eventBytes, type SiteEvent } from '../../../src/domain/event/events.ts';
import type { DailyBudget } from '../../../src/domain/license/daily-budget.ts';
import { isRefusal } from '../../../src/domain/refusal.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { readDailyVolumes } from '../../../src/storage/licenses/daily-volumes.ts';
import { newDatabase } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { batchOf } from '../../support/telemetry.ts';

const engine = engineOf(import.meta);

async function addLicense(db: Database): Promise<number> {
  const insert = prepare<{ id: number }>(
    db,
    `insert into licenses
      (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (?, '', '', 'paid', 'live', 'free', '[]', '[]', '[]', 0) returning id`,
  );
  return (await insert.get(randomUUID()))?.id ?? expect.unreachable();
}

/** Stores a request of a license, and returns whether it was accepted. */
const storing = (db: Database, licenseId: number) => {
  const commit = prepareBatches(db);
  return async (receivedAt: number, events: readonly Partial<SiteEvent>[], budget: DailyBudget) => {
    const input = { ...batchOf(receivedAt, events), licenseId, budget };
    const [outcome] = await commit([{ name: 'recordTelemetry', input }]);
    if (outcome === undefined || 'fault' in outcome) throw new Error(outcome?.fault);
    return !isRefusal(outcome.output);
  };
};

test('a day never exceeds its budget, and its volume is the sum of its events', async () => {
  const event = fc.record({
    type: fc.constantFrom('x', 'attack_blocked'),
    message: fc.option(fc.string({ maxLength: 40 })),
    eventId: fc.option(fc.constantFrom('a', 'b', 'c')),
  });
  const request = fc.record({
    day: fc.integer({ min: 0, max: 3 }),
    events: fc.array(event, { maxLength: 4 }),
  });
  const budget = fc.record({
    events: fc.integer({ min: 1, max: 8 }),
    bytes: fc.integer({ min: 1, max: 5_000 }),
  });
  const db = await engine.open();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 12 }), budget, async (requests, limit) => {
      const licenseId = await addLicense(db);
      const store = storing(db, licenseId);
      for (const { day, events } of requests) await store(day * DAY_MS, events, limit);
      const kept = await prepare<SiteEvent & { receivedAt: number }>(
        db,
        `select type, message, event_id as "eventId", metadata, received_at as "receivedAt"
            from events where license_id = ?`,
      ).all(licenseId);
      for (let day = 0; day <= 3; day++) {
        const ofDay = kept.filter(({ receivedAt }) => receivedAt === day * DAY_MS);
        const volume = await readDailyVolumes(db).ofLicense(licenseId, day * DAY_MS);
        const bytes = ofDay.reduce((sum, each) => sum + eventBytes(each), 0);
        expect(volume).toEqual({ events: ofDay.length, bytes });
        expect(volume.events).toBeLessThanOrEqual(limit.events);
        expect(volume.bytes).toBeLessThanOrEqual(limit.bytes);
      }
    }),
  );
  await disconnect(db);
});

const REQUESTS = 40;
const PER_REQUEST = 100;
const chars = (count: number) => 'm'.repeat(count);
const HARDEST: readonly [string, (n: number) => Partial<SiteEvent>][] = [
  ['with minimal content', () => ({})],
  [
    'with long names, each an alert and a day of its own',
    (n) => ({
      type: `${chars(57)}_${n.toString(36).padStart(6, '0')}`,
      severity: 'critical',
      eventId: `${(n * 7919) % 99_991}-${n}`.padEnd(128, 'x'),
      occurredAt: -n * DAY_MS,
    }),
  ],
  ['that barely do not fit twice into a page', () => ({ message: chars(1_000), metadata: chars(1_050) })],
  ['that barely need another page', () => ({ message: chars(1_000), metadata: chars(3_070) })],
  ['of the maximum size', () => ({ message: chars(1_000), metadata: chars(4_096) })],
];

test.each(HARDEST)('events %s take at most 1.7 times the bytes that they count', async (_, make) => {
  const db = connect(newDatabase());
  db.$client.exec('PRAGMA synchronous = OFF');
  const licenseId = await addLicense(db);
  const store = storing(db, licenseId);
  const bytesOnDisk = () =>
    Number(
      db.$client
        .prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size')
        .get()?.bytes,
    );
  const before = bytesOnDisk();
  for (let request = 0; request < REQUESTS; request++) {
    const events = Array.from({ length: PER_REQUEST }, (_, index) => make(request * PER_REQUEST + index));
    expect(await store(0, events, { events: null, bytes: null })).toBe(true);
  }
  const { bytes: counted } = await readDailyVolumes(db).ofLicense(licenseId, 0);
  expect((bytesOnDisk() - before) / counted).toBeLessThan(1.7);
  await disconnect(db);
});
