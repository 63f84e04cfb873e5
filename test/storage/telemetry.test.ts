import { afterEach, beforeEach, expect, test } from 'bun:test';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { newDatabase } from '../support/database.ts';
import { batchOf } from '../support/telemetry.ts';

const CHUNK_ROWS = 5_000;

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(() => {
  db = connect(newDatabase());
  jobs = prepareJobs(db);
  db.$client.exec('PRAGMA foreign_keys = OFF; BEGIN');
});
afterEach(() => db.$client.close());

/** One request with so many events. */
const receive = (receivedAt: number, events: number) =>
  jobs.recordTelemetry(batchOf(receivedAt, Array(events).fill({})));
const forget = () => jobs.forgetEvents({ receivedBefore: 100 });
const left = () =>
  db.$client
    .prepare('select received_at, count(*) from events group by received_at order by received_at')
    .all()
    .map((row) => Object.values(row));

test('retention forgets what was received before a moment, about 5,000 at a time, and nothing else', () => {
  for (let index = 0; index < 53; index++) receive(10 + (index % 3), 100);
  for (const receivedAt of [99, 100, 101]) receive(receivedAt, 1);
  expect([forget(), forget(), forget()]).toEqual([CHUNK_ROWS, 301, 0]);
  expect(left()).toEqual([
    [100, 1],
    [101, 1],
  ]);
});

test('retention is held up by no number of events from a clock that ran ahead', () => {
  for (let index = 0; index <= CHUNK_ROWS / 100; index++) receive(1_000_000, 100);
  receive(10, 7);
  expect([forget(), forget()]).toEqual([7, 0]);
  expect(left()).toEqual([[1_000_000, CHUNK_ROWS + 100]]);
});
