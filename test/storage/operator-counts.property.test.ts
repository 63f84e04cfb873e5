import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { engineOf } from '../support/engines.ts';
import '../support/properties.ts';
import { LICENSE_STATES, licenseState } from '../../src/domain/license/license.ts';
import { openAlert } from '../../src/domain/site/alerts.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { readLicenseCounts } from '../../src/storage/licenses/license-counts.ts';
import { licenses } from '../../src/storage/licenses/tables.ts';
import { readCriticalAlerts } from '../../src/storage/sites/critical-alerts.ts';
import { alerts } from '../../src/storage/sites/tables.ts';
import { addTwoTenants } from '../support/database.ts';
import { holds, termsUntil } from '../support/licenses.ts';

const engine = engineOf(import.meta);

const NOW = Date.UTC(2026, 10, 23);

let db: Database;
beforeEach(async () => {
  db = await engine.open();
});
afterEach(() => disconnect(db));

/** Moments around the time of the count, often equal to it. */
const moments = fc.constantFrom(null, NOW - DAY_MS, NOW - 1, NOW, NOW + 1, NOW + DAY_MS);
const terms = termsUntil(moments);
const license = fc.record({
  ...terms,
  granted: fc.option(fc.record(terms), { freq: 2 }),
  holds,
  paymentHolds: holds,
  paymentHoldFrom: moments,
  revokedAt: fc.constantFrom(null, null, null, NOW),
  pendingUntil: fc.constantFrom(null, null, NOW - 1, NOW + 1),
});

/** Undoes the inserts of one run of a property. */
async function aside(run: () => Promise<void>): Promise<void> {
  await db.connection.beginChanging();
  try {
    await run();
  } finally {
    await db.connection.rollback();
  }
}

test('licenses are counted by the state derived for each', async () => {
  const count = readLicenseCounts(db);
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(license, { maxLength: 40 }), (all) =>
      aside(async () => {
        const wanted = Object.fromEntries(LICENSE_STATES.map((state) => [state, 0]));
        for (const [at, facts] of all.entries()) {
          const others = { modulesDenied: [] as string[], environment: 'live' as const };
          const key = { keyHash: `hash ${at}`, keyPrefix: 'rdt_live_', keyLast4: 'last', createdAt: 1 };
          await db
            .insert(licenses)
            .values({ ...facts, ...others, ...key })
            .run();
          const overrides = { dailyEventsOverride: null, dailyBytesOverride: null };
          const state = licenseState({ ...facts, ...others, ...overrides }, NOW);
          wanted[state] = (wanted[state] ?? 0) + 1;
          met.add(state);
        }
        expect(await count(NOW)).toEqual(wanted as never);
      }),
    ),
  );
  expect([...met].sort()).toEqual([...LICENSE_STATES].sort());
});

test('critical alerts are counted as open when each is derived to be open', async () => {
  await addTwoTenants(db);
  const count = readCriticalAlerts(db);
  const at = fc.option(
    fc
      .constantFrom(-1, 0, 1)
      .chain((off) => fc.integer({ min: 0, max: 9 }).map((days) => NOW - days * DAY_MS + off)),
  );
  const acknowledgedAt = fc.option(fc.constant(NOW));
  const facts = fc.record({ criticalAt: at, highAt: at, resolvedAt: at, acknowledgedAt });
  let most = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(facts, { maxLength: 30 }), (all) =>
      aside(async () => {
        const rows = all.map((each, index) => ({ subject: `s${index}`, ...each }));
        for (const row of rows)
          await db
            .insert(alerts)
            .values({ licenseId: 1, siteId: 1, ...row })
            .run();
        const open = rows.filter((row) => openAlert(row, NOW)?.severity === 'critical');
        const unacknowledged = open.filter((row) => row.acknowledgedAt === null);
        const moments = unacknowledged.map(({ criticalAt }) => criticalAt ?? Number.POSITIVE_INFINITY);
        most = Math.max(most, open.length);
        expect(await count(NOW)).toEqual({
          open: open.length,
          unacknowledged: unacknowledged.length,
          oldestAt: moments.length === 0 ? null : Math.min(...moments),
        });
      }),
    ),
  );
  expect(most).toBeGreaterThan(1);
});
