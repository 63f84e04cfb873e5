import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { systemClock } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { type BackupCheck, createBackupDesk } from '../../../src/operator/backup-desk.ts';
import { createAdminApp } from '../../../src/server/admin-app.ts';
import type { Job } from '../../../src/storage/engine/jobs/jobs.ts';
import type { SqliteDatabase } from '../../../src/storage/engine/sqlite/client.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { readBackups } from '../../../src/storage/installation/backups.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import type { Operator } from '../../../src/storage/operators/operators.ts';
import { adminPartsOf } from '../../support/admin.ts';
import { newDatabase } from '../../support/database.ts';
import { until } from '../../support/service.ts';

// The pages in this process, where a look lasts for as long as a test wants.

const ORIGIN = 'http://localhost';
const FILE = join(import.meta.dir, 'backups.test.ts');
const OPERATOR: Operator = {
  id: 1,
  name: 'olivia',
  role: 'owner',
  hasPassword: true,
  hasSecondFactor: false,
  createdAt: 1,
  signedInAt: 1,
  disabledAt: null,
  oidcIssuer: null,
  oidcSubject: null,
};

let db: SqliteDatabase;
let look: PromiseWithResolvers<BackupCheck>;
let written: Job[];
let ask: (method: 'GET' | 'POST') => Promise<{ status: number; text: string }>;
beforeEach(async () => {
  db = connect(newDatabase());
  await prepareJobs(db).keepBackup({ path: FILE, at: Date.now(), bytes: 1, encrypted: false });
  const [backup] = await readBackups(db)(1);
  look = Promise.withResolvers();
  written = [];
  const parts = adminPartsOf(db);
  const app = createAdminApp({
    ...parts,
    backupDesk: createBackupDesk({
      check: () => look.promise,
      create: () => new Promise(() => {}),
      clock: systemClock,
      log: silentLog,
    }),
    seen: () => ({ overTls: false, origin: ORIGIN }),
    signIn: {
      ...parts.signIn,
      sessionOf: async () => ({ operator: OPERATOR, startedAt: Date.now(), confirmedAt: Date.now() }),
    },
    desk: {
      async do(_request, _now, plan) {
        const planned = await plan();
        if ('refused' in planned) throw new Error(planned.refused);
        written.push(...planned.jobs);
        return { facts: planned.facts, notices: [], plan: planned };
      },
    },
  });
  ask = async (method) => {
    const address = `${ORIGIN}/console/backups${method === 'POST' ? '/verify' : ''}`;
    const answer = await app.fetch(
      new Request(address, {
        method,
        headers: { cookie: `redoubt_console=${parts.cookieBinding.bind('x')}`, origin: ORIGIN },
        ...(method === 'POST' ? { body: new URLSearchParams({ id: String(backup?.id) }) } : {}),
      }),
    );
    return { status: answer.status, text: await answer.text() };
  };
});
afterEach(() => db.$client.close());

test('while a backup is being verified, the page says so and reloads, and a second form is refused', async () => {
  expect((await ask('POST')).status).toBe(303);
  const page = await ask('GET');
  expect(page.text).toContain(`Verifying ${FILE}`);
  expect(page.text).toMatch(/data-live="" data-again="\d+"/);
  expect(page.text).not.toContain('/console/backups/verify');
  const second = await ask('POST');
  expect([second.status, second.text]).toEqual([
    409,
    expect.stringContaining('is being created or verified'),
  ]);
  expect(written).toEqual([]);
});

test('afterwards it shows that no problems were found, stored with its entry in the audit log', async () => {
  await ask('POST');
  look.resolve({ problem: null });
  await until(async () => (await ask('GET')).text.includes(`${FILE} verified: no problems found`));
  expect((await ask('GET')).text).not.toContain('data-again');
  expect(written).toMatchObject([
    { name: 'noteBackupCheck', input: { problem: null } },
    { name: 'audit', input: { action: 'backup.verify', actor: 'operator:olivia', subject: FILE } },
  ]);
});

test('a look that fails says nothing against the backup, and another one may begin', async () => {
  await ask('POST');
  look.reject(new Error('the thread died'));
  await until(async () => (await ask('GET')).text.includes('could not be verified'));
  expect(written).toEqual([]);
  expect((await ask('POST')).status).toBe(303);
});
