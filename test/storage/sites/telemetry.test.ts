import { afterEach, beforeEach, expect, test } from 'bun:test';
import { prepareBatches } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';
import { batchOf } from '../../support/telemetry.ts';

const engine = engineOf(import.meta);

const CHUNK_ROWS = 5_000;

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(async () => {
  db = await engine.open({ loose: true });
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

/** One request with the given number of events. */
const receive = (receivedAt: number, events: number) =>
  jobs.recordTelemetry(batchOf(receivedAt, Array(events).fill({})));
const forget = () => jobs.forgetEvents({ receivedBefore: 100 });
const left = async () => {
  const counts = 'select received_at, count(*) from events group by received_at order by received_at';
  return (await prepare<object>(db, counts).all()).map((row) => Object.values(row));
};

test('a request whose alerts cannot be delivered is a fault that stores nothing and leaves no later failure', async () => {
  const commit = prepareBatches(db);
  const input = batchOf(10, [{ severity: 'critical' }]);
  await jobs.recordTelemetry(input);
  await execute(db, 'alter table alerts rename to taken_away');
  const [outcome] = await commit([{ name: 'recordTelemetry', input }]);
  expect(outcome).toEqual({ fault: expect.any(String) });
  // Results that nothing awaits are delivered a turn later.
  await new Promise(setImmediate);
  expect(await left()).toEqual([[10, 1]]);
});

test('retention deletes what was received before a moment, about 5,000 at a time, and nothing else', async () => {
  for (let index = 0; index < 53; index++) await receive(10 + (index % 3), 100);
  for (const receivedAt of [99, 100, 101]) await receive(receivedAt, 1);
  expect([await forget(), await forget(), await forget()]).toEqual([CHUNK_ROWS, 301, 0]);
  expect(await left()).toEqual([
    [100, 1],
    [101, 1],
  ]);
});

test('retention is not delayed by any number of events from a clock that ran ahead', async () => {
  for (let index = 0; index <= CHUNK_ROWS / 100; index++) await receive(1_000_000, 100);
  await receive(10, 7);
  expect([await forget(), await forget()]).toEqual([7, 0]);
  expect(await left()).toEqual([[1_000_000, CHUNK_ROWS + 100]]);
});
