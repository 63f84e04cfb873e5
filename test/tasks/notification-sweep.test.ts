import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import { silentAt } from '../../src/domain/notification/silence.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { createGroupWriter } from '../../src/storage/engine/writer.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readForSweep } from '../../src/storage/notifications/sweep-reads.ts';
import { startNotificationSweep } from '../../src/tasks/notification-sweep.ts';
import { addLicense, addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';
import { addTarget } from '../support/notifications.ts';
import { batchOf } from '../support/telemetry.ts';
import '../support/properties.ts';

const engine = engineOf(import.meta);
const log = createLog({ level: 'info', json: true, write: () => {} });
const START = 1_800_000_000_000;

let db: Database;
let now: number;
let problems: string[];
let warnings: string[];
let nodes: SweepingNode[];
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  [now, problems, warnings, nodes] = [START, [], [], []];
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await disconnect(db);
});

interface SweepingNode {
  sweep(passedMs?: number): Promise<void>;
  stop(): Promise<void>;
}

/** A node that sweeps once at its start, and later only when the test calls it. */
async function start({
  isAlone = true,
  of = db,
}: {
  isAlone?: boolean;
  of?: Database;
} = {}): Promise<SweepingNode> {
  let later: (() => void) | undefined;
  const writer = createGroupWriter({ commit: prepareBatches(of), onFault: (fault) => log.error(fault) });
  const stop = startNotificationSweep({
    clock: { now: () => now },
    after(delayMs, task) {
      // The first sweep is the test's as well.
      if (delayMs === MINUTE_MS) later = task;
      return () => {};
    },
    log,
    writer,
    clockWork: ALONE,
    reads: readForSweep(of),
    health: { problems: () => problems, warnings: async () => warnings },
    requestsPerMinute: () => 600,
    isClockBehind: () => false,
    isAlone,
  });
  const node = {
    async sweep(passedMs = MINUTE_MS) {
      now += passedMs;
      const run = later;
      later = undefined;
      run?.();
      while (later === undefined) await new Promise(setImmediate);
    },
    async stop() {
      stop();
      await writer.close();
    },
  };
  nodes.push(node);
  await node.sweep(0);
  return node;
}

const told = async () =>
  (await prepare<{ type: string; data: string }>(db, 'select type, data from outbox order by id').all()).map(
    ({ type, data }) => ({ type, data: JSON.parse(data) as Record<string, unknown> }),
  );
const types = async () => (await told()).map(({ type }) => type);
const seeSite = (at: number, id = 1) => execute(db, `update sites set last_seen_at = ${at} where id = ${id}`);

test('a site that stops reporting creates one event, and another when it reports again', async () => {
  await addTarget(db, 'own', { licenseId: 1 });
  await seeSite(START);
  await seeSite(START, 2);
  const node = await start();
  for (let hour = 0; hour < 23; hour++) await node.sweep(HOUR_MS / 20);
  now = START + DAY_MS - 2 * MINUTE_MS;
  await execute(db, `update noted_states set state = '${now - MINUTE_MS}' where key = 'sites'`);
  await node.sweep(0);
  expect(await told()).toEqual([]);
  for (const _ of [1, 2, 3, 4]) await node.sweep();
  expect(await told()).toMatchObject([
    {
      type: 'site.silent',
      data: { license: 'lic_1', domain: 'shop.test', last_seen_at: expect.any(String) },
    },
  ]);
  await seeSite(now);
  for (const _ of [1, 2]) await node.sweep();
  expect(await types()).toEqual(['site.silent', 'site.back']);
});

test('sites silent before the first target, or while no node ran, create no event', async () => {
  await addTarget(db, 'all');
  await seeSite(START - 30 * DAY_MS);
  await seeSite(START, 2);
  const node = await start();
  await node.sweep();
  await node.sweep(3 * DAY_MS);
  await node.sweep(4 * MINUTE_MS);
  expect(await types()).toEqual([]);
  const due = START + MINUTE_MS + 3 * DAY_MS + DAY_MS;
  for (now = due - 10 * MINUTE_MS; now < due + 5 * MINUTE_MS; ) {
    await execute(db, `update noted_states set state = '${now}' where key = 'sites' and kind = 'sweep'`);
    await node.sweep();
  }
  expect(await told()).toMatchObject([{ type: 'site.silent', data: { license: 'lic_2' } }]);
});

test('an outage never makes a site silent sooner, and delays none that was silent before it', () => {
  const moments = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(moments, moments, moments, fc.integer({ min: 1, max: 300 }), (seen, one, other, quiet) => {
      const gap = { from: Math.min(one, other), to: Math.max(one, other) };
      const at = silentAt(seen, quiet, gap);
      expect(at).toBeGreaterThanOrEqual(seen + quiet);
      if (seen + quiet <= gap.from) expect(at).toBe(seen + quiet);
      else expect(at).toBeGreaterThanOrEqual(gap.to);
    }),
  );
});

test('an expiring license creates events 30, 7 and 1 days ahead and at its end, once each, also after a pause', async () => {
  await addTarget(db, 'own', { licenseId: 1 });
  await addTarget(db, 'all');
  const end = START + 30 * DAY_MS + HOUR_MS;
  await execute(db, `update licenses set expires_at = ${end} where id = 1`);
  const node = await start();
  for (let day = 0; day < 32; day++) await node.sweep(day === 10 ? 2 * HOUR_MS : DAY_MS);
  expect((await told()).map(({ type, data }) => [type, data.days])).toEqual([
    ['license.expiring', 30],
    ['license.expiring', 7],
    ['license.expiring', 1],
    ['license.expired', undefined],
  ]);
  await execute(db, `update licenses set expires_at = ${now + MINUTE_MS} where id = 2`);
  await node.sweep(2 * MINUTE_MS);
  expect((await told()).at(-1)).toMatchObject({ type: 'license.expired', data: { license: 'lic_2' } });
});

test('all of many licenses that end at the same moment create events', async () => {
  await addTarget(db, 'all', { events: ['license.expired'] });
  for (let id = 3; id <= 1_003; id++) await addLicense(db, id);
  const node = await start();
  await execute(db, `update licenses set expires_at = ${START + SECOND_MS}`);
  await node.sweep();
  expect((await types()).length).toBe(1_000);
  for (const _ of [1, 2]) await node.sweep();
  expect(new Set((await told()).map(({ data }) => data.license)).size).toBe(1_003);
  expect((await types()).length).toBe(1_003);
});

test('all sites that an outage makes silent create one event each, and one when they are back', async () => {
  await addTarget(db, 'all', { events: ['site.silent', 'site.back'] });
  for (let id = 3; id <= 602; id++) {
    await execute(
      db,
      `insert into sites (license_id, domain, first_seen_at, last_seen_at) values (1, 's${id}.test', 0, 0)`,
    );
  }
  const node = await start();
  await execute(db, `update sites set last_seen_at = ${START - DAY_MS + 30 * SECOND_MS}`);
  for (const _ of [1, 2]) await node.sweep();
  expect(await types()).toEqual(Array(602).fill('site.silent'));
  await execute(db, `update sites set last_seen_at = ${now}`);
  for (const _ of [1, 2]) await node.sweep();
  expect((await types()).slice(602)).toEqual(Array(602).fill('site.back'));
});

test('a license with another term, a revoked one and a suspended one do not expire', async () => {
  await addTarget(db, 'all');
  const node = await start();
  const granted = '{"kind":"paid","plan":"pro","sitesOverride":null,"modulesAllowed":[],"expiresAt":null}';
  await execute(
    db,
    `update licenses set expires_at = ${START + SECOND_MS};
    update licenses set granted = '${granted}', subscription_id = 'sub' where id = 1;
    update licenses set revoked_at = 1 where id = 2;`,
  );
  await node.sweep();
  expect(await told()).toEqual([]);
});

test('an alert without further reports closes after seven days', async () => {
  await addTarget(db, 'all', { events: ['alert.opened', 'alert.closed'] });
  const node = await start();
  const event = { type: 'malware_found', severity: 'critical', occurredAt: START, eventId: 'a' } as const;
  await prepareJobs(db).recordTelemetry(batchOf(START, [event]));
  await node.sweep(6 * DAY_MS);
  expect(await types()).toEqual(['alert.opened']);
  await node.sweep(DAY_MS + MINUTE_MS);
  await node.sweep();
  expect(await types()).toEqual(['alert.opened', 'alert.closed']);
});

test('a problem creates one event while it lasts, also with other numbers, and one when it is over', async () => {
  const node = await start();
  problems = ['the certificate ended 2 days ago'];
  await node.sweep();
  expect(await told()).toEqual([]);
  await addTarget(db, 'pager', { events: ['system.problem', 'system.recovered'] });
  await node.sweep();
  problems = ['the certificate ended 3 days ago'];
  warnings = ['the last backup is 30 hours old'];
  await node.sweep();
  const again = await start();
  await again.sweep();
  [problems, warnings] = [[], []];
  await again.sweep();
  expect((await told()).map(({ type, data }) => [type, data.problem])).toEqual([
    ['system.problem', 'the certificate ended 2 days ago'],
    ['system.problem', 'the last backup is 30 hours old'],
    ['system.recovered', 'the certificate ended 2 days ago'],
    ['system.recovered', 'the last backup is 30 hours old'],
  ]);
});

test('many failed sign-ins are a problem', async () => {
  await addTarget(db, 'pager', { events: ['system.problem'] });
  await execute(
    db,
    `insert into sign_in_tries values ('a', 'known', 12, ${START}), ('b', 'known', 13, ${START})`,
  );
  await start();
  expect((await told()).map(({ data }) => data.problem)).toEqual(['25 failed sign-ins within an hour']);
});

test('two nodes that sweep at the same moment create each event once', async () => {
  await addTarget(db, 'all');
  const beside = await engine.openBeside(db);
  const [one, other] = [await start(), await start({ of: beside })];
  await execute(db, `update licenses set expires_at = ${START + SECOND_MS}`);
  await seeSite(START - DAY_MS + 30 * SECOND_MS);
  now += MINUTE_MS;
  await Promise.all([one.sweep(0), other.sweep(0)]);
  expect((await types()).toSorted()).toEqual(['license.expired', 'license.expired', 'site.silent']);
  await other.stop();
  await disconnect(beside);
});
