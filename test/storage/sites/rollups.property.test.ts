import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SiteEvent } from '../../../src/domain/event/events.ts';
import { NO_LIMIT } from '../../../src/domain/license/daily-budget.ts';
import { SEVERITIES } from '../../../src/domain/severity.ts';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';
import {
  allEvents,
  arrivedEvents,
  recount,
  retoldAlerts,
  rolledUp,
  storedAlerts,
} from '../../support/recount.ts';

const engine = engineOf(import.meta);

const HOUR_MS = 3_600_000;

const type = fc.constantFrom(
  'malware_found',
  'malware_quarantined',
  'malware__detected',
  'attack_blocked',
  'sql_injection',
  'sql_injection_resolved',
  'resolved',
  'x',
);
/** Hours around the first day of 1970 and of later days; late ones are far before the request's own. */
const hour = fc.integer({ min: -50, max: 100 });
const event = fc.record({
  type,
  severity: fc.constantFrom(...SEVERITIES),
  occurredHour: hour,
  eventId: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e')),
});
const request = fc.record({
  licenseId: fc.constantFrom(1, 2),
  domain: fc.constantFrom('shop.test', 'blog.test'),
  receivedHour: hour,
  events: fc.array(event, { maxLength: 6 }),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('stored' as const), request }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('faulted' as const), request }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lost' as const), request }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forgotten' as const), beforeHour: hour }) },
);
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const batchOf = ({ licenseId, domain, receivedHour, events }: Request) => ({
  licenseId,
  domain,
  claim: null,
  unregisteredAllowed: null,
  siteUuid: null,
  pluginVersion: null,
  stats: null,
  budget: NO_LIMIT,
  receivedAt: receivedHour * HOUR_MS,
  events: events.map(({ type, severity, eventId, occurredHour }) => ({
    type,
    severity,
    eventId,
    message: null,
    metadata: null,
    occurredAt: occurredHour * HOUR_MS - 1,
  })),
});

const addTwoLicenses = (db: Database) =>
  execute(
    db,
    `insert into licenses
      (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (1, 'one', '', '', 'paid', 'test', 'pro', '[]', '[]', '[]', 0),
        (2, 'two', '', '', 'paid', 'test', 'pro', '[]', '[]', '[]', 0)`,
  );

test('after any history of resends, late events, faults, crashes and retention, rollups equal a recount', async () => {
  let forgotten = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const db = await engine.open();
      await addTwoLicenses(db);
      const commit = prepareBatches(db);
      const jobs = prepareJobs(db);
      for (const each of steps) {
        if (each.kind === 'forgotten') {
          const input = { receivedBefore: each.beforeHour * HOUR_MS };
          const [outcome] = await commit([{ name: 'forgetEvents', input }]);
          forgotten += (outcome as { output: number }).output;
          continue;
        }
        const batch = batchOf(each.request);
        if (each.kind === 'lost') {
          await db.connection.beginChanging();
          await jobs.recordTelemetry(batch);
          await db.connection.rollback();
        } else if (each.kind === 'faulted') {
          const poison = { type: null } as unknown as SiteEvent;
          const [stored, faulted] = await commit([
            { name: 'recordTelemetry', input: batch },
            { name: 'recordTelemetry', input: { ...batch, events: [...batch.events, poison] } },
          ]);
          expect([stored && 'output' in stored, faulted && 'fault' in faulted]).toEqual([true, true]);
        } else {
          const [outcome] = await commit([{ name: 'recordTelemetry', input: batch }]);
          expect(outcome).toMatchObject({ output: expect.any(Object) });
        }
        expect(await rolledUp(db)).toEqual(await recount(db));
        expect(await arrivedEvents(db)).toEqual(await allEvents(db));
      }
      expect(await rolledUp(db)).toEqual(await recount(db));
      expect(await arrivedEvents(db)).toEqual(await allEvents(db));
      if (steps.every(({ kind }) => kind !== 'forgotten'))
        expect(await storedAlerts(db)).toEqual(await retoldAlerts(db));
      await disconnect(db);
    }),
    { numRuns: engine.runs(40) },
  );
  expect(forgotten).toBeGreaterThan(0);
}, 30_000);
