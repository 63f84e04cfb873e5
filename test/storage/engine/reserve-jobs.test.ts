import { expect, test } from 'bun:test';
import { disconnect } from '../../../src/storage/engine/database.ts';
import type { JobName } from '../../../src/storage/engine/jobs/jobs.ts';
import { reserveJobsIn } from '../../../src/storage/engine/reserve-jobs.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

test('jobs that end access or free space may use the reserve; writes of tenants may not', async () => {
  const db = await engine.open();
  const jobs = prepareJobs(db);
  const allowed = reserveJobsIn(jobs);
  const ending: JobName[] = ['endSession', 'endSessions', 'endPortalSession', 'confirmSession', 'audit'];
  const revoking: JobName[] = ['revokeCredential', 'revokeCredentialKey', 'revokeSigningKey'];
  const settling: JobName[] = [
    'storePaymentEvents',
    'settleSubscription',
    'settleDispute',
    'putOffPaymentEvents',
  ];
  // The next epoch of the feed is without the threats that an operator has withdrawn.
  const ruling: JobName[] = ['publishFeed'];
  const named: JobName[] = [...ending, ...revoking, ...settling, ...ruling, 'forgetEvents', 'giveBackPages'];
  expect(named.filter((name) => !allowed.has(name))).toEqual([]);
  const ofTenants = (Object.keys(jobs) as JobName[]).filter(
    (name) =>
      /^(?:record|store|start|queue|replace|claim|reserve|note|set)/.test(name) && !settling.includes(name),
  );
  expect(ofTenants.length).toBeGreaterThan(20);
  expect(ofTenants.filter((name) => allowed.has(name))).toEqual([]);
  await disconnect(db);
});
