import { expect, test } from 'bun:test';
import { disconnect, inTransaction } from '../../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../../src/storage/jobs.ts';
import { addTwoTenants } from '../../../support/database.ts';
import { engineOf } from '../../../support/engines.ts';
import { batchOf } from '../../../support/telemetry.ts';

const EVENTS = 100;

test("adding events scans no whole table, though all were small at PostgreSQL's last analysis", async () => {
  const db = await engineOf({ url: '?postgres' }).open();
  await addTwoTenants(db);
  const { recordTelemetry } = prepareJobs(db);
  const send = (site: number) => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({ eventId: `${site}-${index}` }));
    return inTransaction(db, () => recordTelemetry({ ...batchOf(site, events), domain: `${site}.test` }));
  };
  const readThrough = async () => {
    await execute(db, 'select pg_stat_force_next_flush()');
    return prepare(
      db,
      `select relname as name, seq_tup_read as rows from pg_stat_user_tables
        where relname in ('events', 'sites', 'site_summaries', 'licenses') order by relname`,
    ).all();
  };

  for (let site = 1; site <= 5; site++) await send(site);
  await execute(db, 'analyze');
  const before = await readThrough();
  expect(before).toHaveLength(4);
  for (let site = 6; site <= 40; site++) await send(site);
  expect(await readThrough()).toEqual(before);
  await disconnect(db);
});
