import { afterEach, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Message, Outcome } from '../../src/domain/notification/delivery.ts';
import { ATTEMPTS_MAX } from '../../src/domain/notification/retry.ts';
import { type Target, WAITING_MAX } from '../../src/domain/notification/target.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import type { NewTarget } from '../../src/storage/notifications/target-jobs.ts';
import { readTargets } from '../../src/storage/notifications/targets.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';
import { notificationNode } from '../support/notification-node.ts';
import { addEvents, addTarget } from '../support/notifications.ts';
import '../support/properties.ts';

const engine = engineOf(import.meta);
let logged: string[];
const log = createLog({ level: 'info', json: true, write: (line) => void logged.push(line) });
const DELIVERED: Outcome = { outcome: 'delivered', status: 204, latencyMs: 1 };
const failed = (retryAfterMs?: number): Outcome => ({
  outcome: 'failed',
  status: 503,
  latencyMs: 1,
  reason: 'The receiver answered 503.',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const GONE: Outcome = { outcome: 'gone', status: 410, latencyMs: 1, reason: 'The receiver answered 410.' };

let db: Database;
let now: number;
let sent: { target: string; message: Message }[];
let answers: (target: Target, message: Message) => Outcome | Promise<Outcome>;
let nodes: ReturnType<typeof notificationNode>[];
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  now = Date.now();
  [sent, nodes, logged] = [[], [], []];
  answers = () => DELIVERED;
});
afterEach(async () => {
  for (const node of nodes) await node.stop();
  await disconnect(db);
});

/** A sending process; each has its own connection, as on PostgreSQL. */
async function start() {
  const beside = await engine.openBeside(db);
  const node = notificationNode(beside, {
    log,
    now: () => now,
    deliver: (target) => async (message) => {
      sent.push({ target: target.name, message });
      return answers(target, message);
    },
  });
  nodes.push(node);
  return node;
}
const add = (name: string, terms?: Partial<NewTarget>) => addTarget(db, name, terms);
const events = (count: number, severity?: 'info' | 'critical') =>
  addEvents(db, { count, severity: severity ?? 'info', now });
const numbers = () => sent.flatMap(({ message }) => message.events.map(({ data }) => data.number));
const state = async (id: number) => (await readTargets(db).findById(id)) ?? expect.unreachable();

test('events arrive once, in order, and their target shows that', async () => {
  const id = await add('hook');
  await events(250);
  const node = await start();
  await node.rest();
  expect(numbers()).toEqual(Array.from({ length: 250 }, (_, at) => at));
  expect(new Set(sent.map(({ message }) => message.events[0].id)).size).toBe(250);
  expect(await state(id)).toMatchObject({ waiting: 0, dropped: 0, nextDueAt: null, succeededAt: now });
  const attempts = await readTargets(db).attempts(id);
  expect(attempts).toHaveLength(50);
  expect(attempts[0]).toMatchObject({ event: sent.at(-1)?.message.events[0].id, outcome: 'delivered' });
  expect(node.counts.get('webhook delivered')).toBe(250);
});

test('a receiver that fails gets the same event again, in order, until it works', async () => {
  const id = await add('hook');
  await events(3);
  answers = () => failed();
  const node = await start();
  await node.rest();
  expect(numbers()).toEqual([0]);
  expect(await state(id)).toMatchObject({ waiting: 3, failure: 'The receiver answered 503.', failedAt: now });
  await node.rest();
  expect(numbers()).toEqual([0]);
  now += 6 * SECOND_MS;
  answers = () => DELIVERED;
  await node.rest();
  expect(numbers()).toEqual([0, 0, 1, 2]);
  expect(sent[0]?.message.events[0].id).toBe(sent[1]?.message.events[0].id ?? '');
  expect(await state(id)).toMatchObject({ waiting: 0, failure: null });
});

test('an event that a receiver permanently refuses does not delay the others for days', async () => {
  await add('hook');
  await events(3);
  answers = (_, { events: [event] }) => (event.data.number === 0 ? failed() : DELIVERED);
  const node = await start();
  for (const waitMs of [0, 6 * SECOND_MS, 6 * MINUTE_MS]) {
    now += waitMs;
    await node.rest();
  }
  expect(numbers()).toEqual([0, 0, 0, 1, 2]);
  now += 40 * MINUTE_MS;
  await node.rest();
  expect(numbers()).toEqual([0, 0, 0, 1, 2, 0]);
});

test('after the last attempt the target is paused, with an event, and waiting events are sent once it is resumed', async () => {
  const id = await add('hook', { events: ['audit'] });
  const pager = await add('pager', { events: ['system.problem', 'system.recovered'] });
  await events(1);
  answers = ({ name }) => (name === 'hook' ? failed() : DELIVERED);
  const node = await start();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX + 2; attempt++) {
    await node.rest();
    now += 2 * DAY_MS;
  }
  expect(sent.filter(({ target }) => target === 'hook')).toHaveLength(ATTEMPTS_MAX);
  expect(await state(id)).toMatchObject({ pausedReason: 'attempts', waiting: 1 });
  const told = () => sent.filter(({ target }) => target === 'pager').map(({ message }) => message.events[0]);
  const problem = 'notifications to hook are paused: all 10 attempts to deliver an event failed';
  expect(told()).toMatchObject([{ type: 'system.problem', severity: 'high', data: { problem } }]);

  answers = () => DELIVERED;
  await prepareJobs(db).resumeTarget({ id, now });
  await node.rest();
  expect(sent.filter(({ target }) => target === 'hook')).toHaveLength(ATTEMPTS_MAX + 1);
  expect(told().at(-1)).toMatchObject({ type: 'system.recovered', data: { problem } });
  expect((await state(pager)).waiting).toBe(0);
});

test('410 pauses at once, and Retry-After delays every waiting event', async () => {
  const id = await add('hook', { events: ['audit'] });
  await events(2);
  answers = () => failed(10 * MINUTE_MS);
  const node = await start();
  await node.rest();
  now += 9 * MINUTE_MS;
  await node.rest();
  expect(numbers()).toEqual([0]);
  now += 2 * MINUTE_MS;
  answers = () => GONE;
  await node.rest();
  expect(numbers()).toEqual([0, 0]);
  expect(await state(id)).toMatchObject({ pausedReason: 'gone', waiting: 2 });
});

test('a digest collects events until it is due, and a critical one sends it at once', async () => {
  await add('mail', { kind: 'mail', digestMs: 15 * MINUTE_MS, events: ['audit'] });
  await events(2);
  const node = await start();
  await node.rest();
  expect(sent).toEqual([]);
  now += 16 * MINUTE_MS;
  await events(1);
  await node.rest();
  expect(sent.map(({ message }) => message.events.length)).toEqual([3]);
  await events(1);
  await events(1, 'critical');
  await node.rest();
  expect(sent.map(({ message }) => message.events.length)).toEqual([3, 2]);
});

// Thousands of rows in single jobs, which do not differ between the engines.
test.if(engine.isThorough)(
  'of more than 10,000 waiting events the oldest are dropped, and counted',
  async () => {
    const id = await add('hook');
    await prepareJobs(db).pauseTarget({ id, reason: 'operator', now });
    await events(WAITING_MAX + 5);
    expect(await state(id)).toMatchObject({ waiting: WAITING_MAX, dropped: 5 });
    await prepareJobs(db).resumeTarget({ id, now });
    await (await start()).rest();
    expect([numbers().length, numbers()[0]]).toEqual([WAITING_MAX, 5]);
    await prepareJobs(db).replayDeliveries({ id, since: now, now });
    expect((await state(id)).waiting).toBe(WAITING_MAX);
  },
  120_000,
);

test('a replay sends the same events with the same ids, one or all since a moment', async () => {
  const id = await add('hook');
  await events(3);
  now += 1;
  await events(2);
  const node = await start();
  await node.rest();
  const ids = sent.map(({ message }) => message.events[0].id);
  expect(await prepareJobs(db).replayDeliveries({ id, since: now, now })).toBe(2);
  expect(await prepareJobs(db).replayDeliveries({ id, event: ids[0] ?? '', now })).toBe(1);
  // It waits already.
  expect(await prepareJobs(db).replayDeliveries({ id, event: ids[0] ?? '', now })).toBe(0);
  expect(await prepareJobs(db).replayDeliveries({ id, event: 'evt_none', now })).toMatchObject({
    refused: 'ACT_REFUSED',
  });
  await node.rest();
  expect(sent.slice(5).map(({ message }) => message.events[0].id)).toEqual(
    [0, 3, 4].map((at) => ids[at] ?? ''),
  );
});

test('removing a target during a delivery leaves no rows, and is no error', async () => {
  const id = await add('hook');
  await events(3);
  answers = async () => {
    await prepareJobs(db).removeTarget({ id, now });
    return DELIVERED;
  };
  await (await start()).rest();
  expect(numbers()).toEqual([0, 1, 2]);
  expect(logged).toEqual([]);
  for (const table of ['targets', 'target_states', 'deliveries', 'delivery_logs'])
    expect(await prepare<object>(db, `select * from ${table}`).all()).toEqual([]);
});

test('receivers that hang take turns with others, and delay none of them for long', async () => {
  for (let at = 0; at < 70; at++) await add(`hang-${at}`);
  await events(5);
  const id = await add('ops');
  await events(1);
  const hanging: (() => void)[] = [];
  answers = ({ name }) =>
    name === 'ops'
      ? DELIVERED
      : new Promise((resolve) => {
          hanging.push(() => resolve(failed()));
        });
  const node = await start();
  await node.look();
  while (hanging.length < 64) await new Promise(setImmediate);
  expect((await state(id)).waiting).toBe(1);
  for (const end of hanging.splice(0, 8)) end();
  while ((await state(id)).waiting > 0) {
    await node.look();
    for (const end of hanging.splice(64)) end();
  }
  for (let at = 0; at < 100; at++) for (const end of hanging.splice(0)) end();
  answers = () => DELIVERED;
});

test('two nodes never send to one target at once, and a killed one leaves it to the other', async () => {
  const id = await add('hook');
  await events(20);
  const hanging = Promise.withResolvers<Outcome>();
  answers = () => hanging.promise;
  const dead = await start();
  await dead.look();
  while (sent.length === 0) await new Promise(setImmediate);
  const other = await start();
  answers = () => DELIVERED;
  await other.rest();
  expect(sent).toHaveLength(1);
  dead.halt(20 * SECOND_MS);
  await execute(db, 'update target_states set leased_until = 0');
  await other.rest();
  expect(numbers()).toEqual([0, ...Array.from({ length: 20 }, (_, at) => at)]);
  hanging.resolve(DELIVERED);
  await dead.rest();
  expect(numbers()).toHaveLength(21);
  expect(await state(id)).toMatchObject({ waiting: 0, dropped: 0 });
});

test('each event arrives exactly once with any answers of its receiver, and attempts stay within their limit', async () => {
  const outcomes = fc.constantFrom<Outcome>(DELIVERED, DELIVERED, failed(), failed(3 * SECOND_MS), GONE);
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcomes, { maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      async (list, count) => {
        sent = [];
        const id = await add(`hook-${crypto.randomUUID().slice(0, 8)}`);
        await events(count);
        const arrived: unknown[] = [];
        const tries = new Map<unknown, number>();
        answers = (target, { events: [event] }) => {
          if (target.id !== id) return DELIVERED;
          tries.set(event.id, (tries.get(event.id) ?? 0) + 1);
          const outcome = list.shift() ?? DELIVERED;
          if (outcome.outcome === 'delivered') arrived.push(event.data.number);
          return outcome;
        };
        const node = await start();
        for (let day = 0; (await state(id)).waiting > 0; day++) {
          expect(day).toBeLessThan(60);
          if ((await state(id)).pausedAt !== null) await prepareJobs(db).resumeTarget({ id, now });
          await node.rest();
          now += 2 * DAY_MS;
        }
        expect(arrived.toSorted()).toEqual(Array.from({ length: count }, (_, at) => at));
        await node.stop();
        await prepareJobs(db).removeTarget({ id, now });
      },
    ),
    { numRuns: 15 },
  );
}, 120_000);
