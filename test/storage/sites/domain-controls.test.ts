import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { CheckResult } from '../../../src/domain/domain-control/control.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { readDomainControls, readDueChecks } from '../../../src/storage/sites/domain-controls.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const DOMAIN = 'proven.com';

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
  await jobs.bindDomain({ licenseId: 1, domain: DOMAIN, now: 1 });
});
afterEach(() => disconnect(db));

const record = (more: Partial<CheckResult> = {}, domain = DOMAIN) =>
  jobs.recordControlCheck({
    licenseId: 1,
    domain,
    result: { method: 'http', problem: null, checkedAt: 1_000, ...more },
  });
const find = (licenseId = 1, domain = DOMAIN) => readDomainControls(db).find(licenseId, domain);

test('the result of a check is stored for that license and domain only', async () => {
  expect(await find()).toBeUndefined();
  const control = { method: 'http', verifiedAt: 1_000, checkedAt: 1_000, failedSince: null, problem: null };
  expect(await record()).toMatchObject(control);
  expect(await find()).toMatchObject(control);
  expect([await find(2), await find(1, 'other.com')]).toEqual([undefined, undefined]);

  await record({ checkedAt: 2_000, problem: 'unreachable' });
  await record({ checkedAt: 3_000, problem: 'not_found' });
  expect(await find()).toMatchObject({
    verifiedAt: 1_000,
    checkedAt: 3_000,
    failedSince: 2_000,
    problem: 'not_found',
  });
});

test('nothing is stored for a domain that is unregistered, or was released during its check', async () => {
  expect(await record({}, 'other.com')).toMatchObject({ refused: 'DOMAIN_MISMATCH' });
  await jobs.unbindDomain({ licenseId: 1, domain: DOMAIN, now: 2 });
  expect(await record()).toMatchObject({ refused: 'DOMAIN_MISMATCH' });
  expect(await find()).toBeUndefined();
});

test('control is deleted with the registration and does not return with a new one', async () => {
  const giveUp = [
    () => jobs.unbindDomain({ licenseId: 1, domain: DOMAIN, now: 2 }),
    () => jobs.blockDomain({ licenseId: 1, domain: DOMAIN, now: 2 }),
    async () => {
      await execute(db, "update license_domains set bound_by = 'order'");
      await jobs.keepDomains({ licenseId: 1, sitesAllowed: 0, now: 2 });
    },
  ];
  for (const how of giveUp) {
    await jobs.unblockDomain({ licenseId: 1, domain: DOMAIN });
    await jobs.bindDomain({ licenseId: 1, domain: DOMAIN, now: 3 });
    await jobs.bindDomain({ licenseId: 2, domain: DOMAIN, now: 3 });
    await jobs.vouchForDomain({ licenseId: 2, domain: DOMAIN, now: 3 });
    await record();
    await how();
    await jobs.unblockDomain({ licenseId: 1, domain: DOMAIN });
    await jobs.bindDomain({ licenseId: 1, domain: DOMAIN, now: 4 });
    expect(await find()).toBeUndefined();
    expect(await find(2)).toMatchObject({ method: 'operator' });
  }
});

test('the operator can attest control instead of a check, and withdraw that', async () => {
  await record({ problem: 'not_found' });
  await jobs.vouchForDomain({ licenseId: 1, domain: DOMAIN, now: 5 });
  expect(await find()).toMatchObject({
    method: 'operator',
    verifiedAt: 5,
    failedSince: null,
    problem: null,
  });
  await record({ problem: 'not_found' });
  expect(await find()).toMatchObject({ method: 'operator', verifiedAt: 5 });
  await jobs.forgetControl({ licenseId: 1, domain: DOMAIN });
  expect(await find()).toBeUndefined();
});

test('proofs are due a day after their check, longest due first, and not for revoked licenses', async () => {
  const due = async (now: number, limit = 10) =>
    (await readDueChecks(db)(now, limit)).map(({ domain }) => domain);
  for (const [domain, checkedAt] of [
    ['late.com', 10],
    ['early.com', 5],
    ['vouched.com', 1],
    ['never.com', 1],
  ] as const) {
    await jobs.bindDomain({ licenseId: 1, domain, now: 1 });
    await record({ checkedAt, problem: domain === 'never.com' ? 'not_found' : null }, domain);
  }
  await jobs.vouchForDomain({ licenseId: 1, domain: 'vouched.com', now: 1 });
  expect(await due(DAY_MS + 4)).toEqual([]);
  expect(await due(DAY_MS + 10)).toEqual(['early.com', 'late.com']);
  expect(await due(DAY_MS + 10, 1)).toEqual(['early.com']);
  await jobs.changeLicense({ id: 1, change: { revokedAt: 7 } });
  expect(await due(DAY_MS + 10)).toEqual([]);
});
