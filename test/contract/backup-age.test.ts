import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminOf, tokenOf } from '../support/admin.ts';
import { call } from '../support/client.ts';
import { operatorOf } from '../support/console.ts';
import { engineOf } from '../support/engines.ts';
import { type RunningService, start, TARGETS, until } from '../support/service.ts';
import { keepBackup, rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Needs many starts of the service.

const HOUR_MS = 3_600_000;
const isEmbedded = engineOf(import.meta).name === 'SQLite';
/** Data in PostgreSQL is backed up with PostgreSQL's own tools. */
const BACKUP = isEmbedded ? 'good backup' : 'good backup of the keys';
const NONE = `there is no ${BACKUP}`;
const OLD = `the last ${BACKUP} is 3 days old`;

describe.each([...TARGETS])('the age of backups on %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: it has to start without a backup.
    service = await start(target);
    await service.issue('--plan', 'pro');
  });
  afterAll(() => service.end());
  beforeEach(() => rows(service, 'delete from backups'));

  const ready = async () => {
    const { status, json } = await call(service.url, '/readyz');
    return [status, json.status, json.warnings];
  };
  const gauges = async () =>
    (await call(service.url, '/metrics')).text
      .split('\n')
      .filter((line) => line.startsWith('redoubt_last_backup'));

  test('causes a warning for a missing backup from the second day on, and the service stays ready', async () => {
    expect([await ready(), await gauges()]).toEqual([[200, 'ready', []], []]);
    rows(service, 'update licenses set created_at = ?', Date.now() - 25 * HOUR_MS);
    expect([await ready(), await gauges()]).toEqual([[200, 'ready', [NONE]], []]);
  });

  test('causes a warning when it is too old, until there is a newer valid backup', async () => {
    const old = Date.now() - 73 * HOUR_MS;
    await keepBackup(service, { path: '/old', at: old, bytes: 7 });
    expect(await ready()).toEqual([200, 'ready', [OLD]]);
    expect(await gauges()).toEqual([
      `redoubt_last_backup_timestamp_seconds ${old / 1_000}`,
      'redoubt_last_backup_bytes 7',
    ]);
    await keepBackup(service, { path: '/new' });
    expect(await ready()).toEqual([200, 'ready', []]);
    rows(service, "update backups set problem = 'it was changed' where path = '/new'");
    expect(await ready()).toEqual([200, 'ready', [OLD]]);
  });

  test('does not count a backup that verification found damaged', async () => {
    const path = join(temporaryDirectory(), 'broken.tar');
    writeFileSync(path, 'no backup');
    await keepBackup(service, { path });
    const [{ id } = {}] = rows(service, 'select id from backups');
    const owner = await operatorOf(service, 'olivia');
    expect((await owner.post('/console/backups/verify', { id: String(id) })).status).toBe(303);
    await until(async () => (await gauges()).length === 0);
    expect(await ready()).toEqual([200, 'ready', [NONE]]);
  });
});

test('the admin API shows the warning about backups, and the console the remedy', async () => {
  const service = await start('binary');
  await service.issue('--plan', 'pro');
  rows(service, 'update licenses set created_at = 1');
  const { json } = await adminOf(service, await tokenOf(service))('/status');
  expect(json.data.warnings).toEqual([NONE]);
  const { text } = await (await operatorOf(service, 'vera', 'viewer')).get('/console');
  expect(text.toLowerCase()).toContain(NONE);
  expect(text).toContain('redoubt backup create');
  await service.end();
});

test.if(isEmbedded)(
  'a demonstration warns about no missing backup, because its data is temporary',
  async () => {
    const demo = await start('binary', {}, { demo: true });
    rows(demo, 'update licenses set created_at = 1');
    expect((await call(demo.url, '/readyz')).json.warnings).toEqual([]);
    await demo.end();
  },
);
