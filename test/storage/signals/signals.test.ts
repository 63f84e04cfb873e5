import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { NO_LIMIT } from '../../../src/domain/license/daily-budget.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const SITES_MAX = 1_000;

let db: Database;
let jobs: ReturnType<typeof prepareJobs>;
beforeEach(async () => {
  db = await engine.open({ loose: true });
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

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
const column = async (sql: string, ...params: string[]) =>
  (await prepare<object>(db, sql).all(...params)).map((row) => Object.values(row)[0]);
const sites = (signal = '/restore/assess') =>
  column('select site from signal_snapshots where signal = ? order by received_at, site', signal);

/** Stores as many snapshots as allowed, of the sites s0, s1, ..., in one statement: each job searches for the oldest. */
const fill = (receivedAt: string) =>
  execute(
    db,
    `insert into signal_snapshots (license_id, signal, site, record, received_at)
      with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${SITES_MAX - 1})
      select 1, '/restore/assess', 's' || i, '{}', ${receivedAt} from numbers`,
  );

describe('snapshots by site', () => {
  test('are limited for each license and signal; the one reported longest ago is replaced', async () => {
    await fill('i');
    await record('s0', SITES_MAX);
    await record('other', 5, '/keyhygiene/signal');
    await record('other', 5, '/restore/assess', 2);
    await record('new', SITES_MAX + 1);
    expect(
      await column(
        "select count(*) from signal_snapshots where license_id = 1 and signal = '/restore/assess'",
      ),
    ).toEqual([SITES_MAX]);
    expect(await sites()).toContain('s0');
    expect(await sites()).not.toContain('s1');
    expect(await sites()).toContain('s2');
    expect(await sites('/keyhygiene/signal')).toEqual(['other']);
    expect(await column('select site from signal_snapshots where license_id = 2')).toEqual(['other']);
  });

  test('never lose the one just acknowledged, even when the clock was set back', async () => {
    await fill('1000000');
    await record('z', 1_000_000);
    expect(await sites()).toContain('z');
    await record('zz', 5);
    expect(await sites()).toContain('zz');
    expect(await sites()).toHaveLength(SITES_MAX);
  });
});

describe('retention', () => {
  test('deletes what was received before a moment, 5,000 at a time, and no snapshot', async () => {
    await record('old', 1);
    for (let index = 0; index < 5_200; index++) await append(10);
    for (const receivedAt of [99, 100, 101]) await append(receivedAt);
    const forget = () => jobs.forgetSignals({ receivedBefore: 100 });
    expect([await forget(), await forget(), await forget()]).toEqual([5_000, 201, 0]);
    expect(await column('select received_at from signal_history order by id')).toEqual([100, 101]);
    expect(await sites()).toEqual(['old']);
  });

  test('is not delayed by any number of signals from a clock that ran ahead', async () => {
    for (let index = 0; index < 5_000; index++) await append(1_000_000);
    await append(10);
    expect(await jobs.forgetSignals({ receivedBefore: 100 })).toBe(1);
    expect(await column('select count(*) from signal_history')).toEqual([5_000]);
  });
});
