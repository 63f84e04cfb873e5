import { afterEach, beforeEach, expect, test } from 'bun:test';
import { oneAfterAnother } from '../../../src/lib/one-after-another.ts';
import type { PlannedAct, RefusedAct } from '../../../src/operator/act.ts';
import { changeLicense } from '../../../src/operator/change-license.ts';
import { forgetCustomer } from '../../../src/operator/forget-customer.ts';
import { prepareChanges } from '../../../src/storage/changes.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readLicenses } from '../../../src/storage/licenses/licenses.ts';
import { readTargets } from '../../../src/storage/notifications/targets.ts';
import { readAudit } from '../../../src/storage/operators/audit.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { addTarget } from '../../support/notifications.ts';

const engine = engineOf(import.meta);
const BY = { actor: 'cli:ann', now: 1_000 } as const;
const ACME = 'Zz Acme Ltd';
const OFFER = { catalog: {}, priceList: {} } as never;

let db: Database;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  await name(1, ACME, 'it@acme.example');
  await addTarget(db, 'both', { customers: ['Other', ACME] });
  await addTarget(db, 'filtered', { customers: [ACME], licenses: [2] });
  await addTarget(db, 'only', { customers: [ACME] });
  await addTarget(db, 'all');
});
afterEach(() => disconnect(db));

const name = (id: number, customer: string, email: string | null = null) =>
  prepareJobs(db).changeLicense({ id, change: { customer, email } });
const license = async () => (await readLicenses(db).find(1)) ?? expect.unreachable();
const customers = async () =>
  Object.fromEntries((await readTargets(db).list(null)).map((target) => [target.name, target.customers]));

/** Performs an act; returns its notices. */
async function act(planned: PlannedAct | RefusedAct): Promise<readonly string[]> {
  if ('refused' in planned) throw new Error(planned.refused);
  await prepareChanges(db)((run) => oneAfterAnother(planned.jobs, run));
  return planned.notices ?? [];
}
const change = async (customer: string | null) =>
  act(await changeLicense(db, await license(), { customer }, OFFER, BY));
const forget = async () => act(await forgetCustomer(db, await license(), BY));

test('renaming a customer renames it in targets', async () => {
  await change('Acme Group');
  expect(await customers()).toEqual({
    all: [],
    both: ['Other', 'Acme Group'],
    only: ['Acme Group'],
    filtered: ['Acme Group'],
  });
  await change('Other');
  expect(await customers()).toMatchObject({ both: ['Other'], only: ['Other'] });
});

test('a customer with another license keeps its name in targets', async () => {
  const before = await customers();
  await name(2, ACME);
  await change('Acme Group');
  expect(await customers()).toEqual(before);
});

test('an erased customer is in no target, and no target receives more than before', async () => {
  await addTarget(db, 'box', { licenseId: 1, kind: 'mail', address: 'mailto:zz@acme.example' });
  await addTarget(db, 'hook', { licenseId: 1 });
  await addTarget(db, 'same', { kind: 'mail', address: 'mailto:IT@acme.example' });
  expect(await forget()).toEqual([
    'the notification target only is removed: it was only for this customer',
    'the notification target same still has the same mail address',
    expect.stringContaining('existing backups'),
  ]);
  expect(await customers()).toEqual({ all: [], both: ['Other'], filtered: [], same: [] });
  expect((await readTargets(db).list(1)).map((target) => target.name)).toEqual(['hook']);
  const log = await readAudit(db, { limit: 50 });
  expect(log.filter(({ action }) => action === 'notification.remove')).toHaveLength(2);
  expect(JSON.stringify(log)).not.toContain('cme');
  expect(await forget()).toEqual([expect.stringContaining('nothing changed')]);
});

test('a mailbox of a tenant is erased, even as the only personal data of its license', async () => {
  await forget();
  await addTarget(db, 'box', { licenseId: 1, kind: 'mail', address: 'mailto:zz@acme.example' });
  await forget();
  expect(await readTargets(db).list(1)).toEqual([]);
});
