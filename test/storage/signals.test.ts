import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { NO_LIMIT } from '../../src/domain/license/daily-budget.ts';
import { connect, type Database } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { newDatabase } from '../support/database.ts';

const SITES_MAX = 1_000;

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(() => {
  db = connect(newDatabase());
  jobs = prepareJobs(db);
  db.$client.exec('PRAGMA foreign_keys = OFF; BEGIN');
});
afterEach(() => db.$client.close());

const record = (site: string, receivedAt: number, signal = '/restore/assess', licenseId = 1) =>
  jobs.recordSignal({ licenseId, signal, replaces: true, site, record: { receivedAt }, receivedAt });
const append = (receivedAt: number) =>
  jobs.recordSignal({
    licenseId: 1,
    signal: '/pc-guard/signal',
    replaces: false,
    budget: NO_LIMIT,
    site: '',
    record: {},
    receivedAt,
  });
const column = (sql: string, ...params: string[]) =>
  db.$client
    .prepare(sql)
    .all(...params)
    .map((row) => Object.values(row)[0]);
const sites = (signal = '/restore/assess') =>
  column('select site from signal_snapshots where signal = ? order by received_at, site', signal);

describe('snapshots by site', () => {
  test('of a license and signal are bounded; the one heard of longest ago makes room', () => {
    for (let index = 0; index < SITES_MAX; index++) record(`s${index}`, index);
    record('s0', SITES_MAX);
    record('other', 5, '/keyhygiene/signal');
    record('other', 5, '/restore/assess', 2);
    record('new', SITES_MAX + 1);
    expect(
      column("select count(*) from signal_snapshots where license_id = 1 and signal = '/restore/assess'"),
    ).toEqual([SITES_MAX]);
    expect(sites()).toContain('s0');
    expect(sites()).not.toContain('s1');
    expect(sites()).toContain('s2');
    expect(sites('/keyhygiene/signal')).toEqual(['other']);
    expect(column('select site from signal_snapshots where license_id = 2')).toEqual(['other']);
  });

  test('never lose the one just acknowledged, not even when the clock was set back', () => {
    for (let index = 0; index < SITES_MAX; index++) record(`s${index}`, 1_000_000);
    record('z', 1_000_000);
    expect(sites()).toContain('z');
    record('zz', 5);
    expect(sites()).toContain('zz');
    expect(sites()).toHaveLength(SITES_MAX);
  });
});

describe('retention', () => {
  test('forgets what was received before a moment, 5,000 at a time, and no snapshot', () => {
    record('old', 1);
    for (let index = 0; index < 5_200; index++) append(10);
    for (const receivedAt of [99, 100, 101]) append(receivedAt);
    const forget = () => jobs.forgetSignals({ receivedBefore: 100 });
    expect([forget(), forget(), forget()]).toEqual([5_000, 201, 0]);
    expect(column('select received_at from signal_history order by id')).toEqual([100, 101]);
    expect(sites()).toEqual(['old']);
  });

  test('is held up by no number of signals from a clock that ran ahead', () => {
    for (let index = 0; index < 5_000; index++) append(1_000_000);
    append(10);
    expect(jobs.forgetSignals({ receivedBefore: 100 })).toBe(1);
    expect(column('select count(*) from signal_history')).toEqual([5_000]);
  });
});
