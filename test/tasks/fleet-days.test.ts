import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDayNumber } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { ALONE } from '../../src/storage/engine/clock-work.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { readFleetDays } from '../../src/storage/sites/fleet-days.ts';
import { readSiteCounts } from '../../src/storage/sites/site-counts.ts';
import { startFleetDays } from '../../src/tasks/fleet-days.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);
const NOW = Date.UTC(2026, 10, 23, 12);
const TODAY = utcDayNumber(NOW);

let db: Database;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
});
afterEach(() => disconnect(db));

const seen = (id: number, at: number) =>
  execute(db, `update sites set last_seen_at = ${at} where id = ${id}`);

test('licenses and sites are noted each hour, the last count of a day stays, and 90 days are kept', async () => {
  const clock = { now: NOW, isBehind: false };
  const due: (() => void)[] = [];
  let written = Promise.resolve<unknown>(undefined);
  const stop = startFleetDays({
    db,
    clock: { now: () => clock.now },
    after: (_, task) => {
      due.push(task);
      return () => {};
    },
    log: silentLog,
    writer: {
      write(name, input) {
        const done = prepareJobs(db)[name](input as never) as Promise<never>;
        written = done;
        return done;
      },
    },
    clockWork: ALONE,
    isClockBehind: () => clock.isBehind,
  });
  const noted = async (): Promise<unknown> => {
    const before = written;
    due.shift()?.();
    while (written === before) await new Promise(setImmediate);
    await written;
    return readFleetDays(db, 0);
  };

  await seen(1, NOW);
  const first = { day: TODAY, activeLicenses: 2, sites: 2, reportingSites: 1 };
  expect(await noted()).toEqual([first]);
  await seen(1, NOW + HOUR_MS);
  await seen(2, NOW + HOUR_MS);
  clock.now += HOUR_MS;
  expect(await noted()).toEqual([{ ...first, reportingSites: 2 }]);
  clock.now += DAY_MS;
  expect(await noted()).toEqual([
    { ...first, reportingSites: 2 },
    { ...first, day: TODAY + 1, reportingSites: 0 },
  ]);

  clock.isBehind = true;
  clock.now += DAY_MS;
  due.shift()?.();
  await new Promise(setImmediate);
  expect(await readFleetDays(db, 0)).toHaveLength(2);

  await prepareJobs(db).forgetFleetDays({ before: TODAY + 1 });
  expect(await readFleetDays(db, 0)).toHaveLength(1);
  stop();
});

test('sites are counted once each by when they were last seen, those of revoked licenses not', async () => {
  for (let id = 3; id <= 12_000; id += 1_000)
    await execute(
      db,
      `insert into sites (id, license_id, domain, first_seen_at, last_seen_at) values (${id}, 1, 's${id}', 0, ${NOW})`,
    );
  await seen(1, NOW - 2 * HOUR_MS);
  await seen(3, NOW - 59 * MINUTE_MS);
  expect(await readSiteCounts(db)(NOW)).toEqual({ all: 14, reporting: 12, stale: 1, silent: 1 });
  await execute(db, `update licenses set revoked_at = 1 where id = 2`);
  expect(await readSiteCounts(db)(NOW)).toEqual({ all: 13, reporting: 12, stale: 1, silent: 0 });
});
