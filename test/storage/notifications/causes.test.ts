import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { NotificationType } from '../../../src/domain/notification/event.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import type { Jobs } from '../../../src/storage/engine/jobs/jobs.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import type { LicenseChange } from '../../../src/storage/licenses/licenses.ts';
import type { Scan } from '../../../src/storage/scans/scans.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';
import { addTarget, newTarget } from '../../support/notifications.ts';
import { batchOf } from '../../support/telemetry.ts';

const engine = engineOf(import.meta);
const NOW = 1_800_000_000_000;

let db: Database;
let jobs: Jobs;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
  jobs = prepareJobs(db);
});
afterEach(() => disconnect(db));

interface StoredRow {
  readonly type: NotificationType;
  readonly severity: string;
  readonly data: string;
  readonly targets: string;
}

/** The stored events in order, without those of the audit log, with the targets that they wait for. */
const stored = async (withAudit = false) => {
  const rows = await prepare<StoredRow>(
    db,
    `
    select type, severity, data, (select count(*) from deliveries where event_id = outbox.id) as targets
      from outbox order by id
    `,
  ).all();
  return rows
    .filter(({ type }) => withAudit || type !== 'audit')
    .map(({ type, severity, data, targets }) => ({
      type,
      severity,
      targets: Number(targets),
      data: JSON.parse(data) as Record<string, unknown>,
    }));
};
const types = async () => (await stored()).map(({ type }) => type);

const telemetry = (type: string, occurredAt: number, severity: 'critical' | 'high' | 'info' = 'critical') =>
  jobs.recordTelemetry(batchOf(NOW, [{ type, severity, occurredAt, eventId: `${type}-${occurredAt}` }]));
const audit = (action: string, facts: object = {}, subject = 'lic_1') =>
  jobs.audit({ at: NOW, actor: 'operator:ann', action, subject, ...facts });
const scan = async (more: object = {}): Promise<Scan> =>
  (await jobs.queueScan({
    publicId: crypto.randomUUID(),
    licenseId: 1,
    domain: 'shop.test',
    siteUrl: 'https://shop.test/',
    type: 'surface',
    trigger: 'api',
    request: null,
    dailyCap: 9,
    now: NOW,
    ...more,
  })) as Scan;
const finding = (severity: 'low' | 'high') => ({
  id: severity,
  severity,
  title: '',
  evidence: '',
  recommendation: '',
});
const trust = { licenseId: 1, domain: 'shop.test', showGrade: true, rotate: false, dailyCap: 9, now: NOW };
const entry = (fingerprint: string) =>
  `{"fingerprint":"${fingerprint}","attack_type":"sqli","severity":"high","corroboration_count":3}`;
const feed = (epoch: number, ...fingerprints: string[]) => ({
  epoch,
  generatedAt: NOW + epoch,
  own: null,
  entries: `[${fingerprints.map(entry).join(',')}]`,
});
const refusal = (lastAt: number) => ({
  refusals: [{ licenseId: 1, domain: 'b.test', reason: 'site_limit_reached' as const, count: 1, lastAt }],
});

/** Causes, and the events that they create. */
const CAUSES: Readonly<Record<string, { cause: () => Promise<unknown>; told: readonly object[] }>> = {
  'an alert opens, is reported again, becomes critical and is resolved': {
    async cause() {
      await telemetry('malware_found', NOW - 5, 'high');
      await telemetry('malware_found', NOW - 4, 'high');
      await telemetry('malware_found', NOW - 3);
      await telemetry('malware_found', NOW - 2);
      await telemetry('malware_removed', NOW - 1, 'info');
      await telemetry('malware_removed', NOW, 'info');
    },
    told: [
      {
        type: 'alert.opened',
        severity: 'high',
        data: { license: 'lic_1', domain: 'shop.test', alert: 'malware' },
      },
      { type: 'alert.opened', severity: 'critical' },
      { type: 'alert.closed', severity: 'info', data: { alert: 'malware' } },
    ],
  },
  'events of no alert arrive': { cause: () => telemetry('login', NOW, 'info'), told: [] },
  'an operator acknowledges an alert': {
    cause: () =>
      audit('alert.acknowledge', { after: { domain: 'shop.test', subject: 'malware', note: 'x' } }),
    told: [{ type: 'alert.acknowledged', data: { license: 'lic_1', domain: 'shop.test', alert: 'malware' } }],
  },
  'a license is suspended, resumed, changed and revoked': {
    async cause() {
      for (const verb of ['suspend', 'resume', 'rotate', 'revoke']) await audit(`license.${verb}`);
      await audit('license.change', { before: { note: 'a' }, after: { note: 'b' } });
      await audit('license.change', { after: { plan: 'pro', customer: 'Acme' } });
    },
    told: [
      { type: 'license.suspended', data: { license: 'lic_1' } },
      { type: 'license.resumed' },
      { type: 'license.changed', data: { license: 'lic_1', change: 'rotate', changed: null } },
      { type: 'license.revoked' },
      { type: 'license.changed', data: { license: 'lic_1', change: 'change', changed: 'plan,customer' } },
    ],
  },
  'licenses are issued and imported, and a trial starts': {
    async cause() {
      await audit('license.issue', { after: { kind: 'paid' } });
      await audit('license.import', {}, 'lic_7..lic_9');
      await audit('license.issue', { after: { kind: 'trial' } });
      await audit('trial.confirm');
    },
    told: [
      { type: 'license.issued', data: { license: 'lic_1' } },
      { type: 'license.issued', data: { license: 'lic_7..lic_9' } },
      { type: 'trial.started', data: { license: 'lic_1' } },
      { type: 'trial.started' },
    ],
  },
  'a payment fails, is missing for longer, and recovers': {
    async cause() {
      const [none, held] = [{ paymentHolds: [], paymentHoldFrom: null }, { paymentHolds: ['payment'] }];
      const late = { paymentHolds: [], paymentHoldFrom: NOW, status: 'past_due' };
      await audit('license.payment', { before: { ...none, expiresAt: 1 }, after: { ...none, expiresAt: 2 } });
      await audit('license.payment', { before: none, after: late });
      await audit('license.payment', { before: late, after: { ...held, paymentHoldFrom: null } });
      await audit('license.payment', { before: held, after: none });
      await audit('license.dispute', { after: { dispute: 'd', status: 'open' } });
      await audit('license.dispute', { after: { dispute: 'd', status: 'settled' } });
    },
    told: [
      { type: 'payment.failed', severity: 'high', data: { license: 'lic_1', status: 'past_due' } },
      { type: 'payment.recovered' },
      { type: 'license.suspended', data: { license: 'lic_1', reason: 'dispute' } },
      { type: 'license.resumed' },
    ],
  },
  'a domain is refused again and again, and on the next day': {
    async cause() {
      for (const at of [NOW, NOW + 1, NOW + DAY_MS]) await jobs.addRefusedDomains(refusal(at));
    },
    told: [
      { type: 'license.refused', data: { license: 'lic_1', domain: 'b.test', reason: 'site_limit_reached' } },
      { type: 'license.refused' },
    ],
  },
  'scans finish, fail and are called off': {
    async cause() {
      const { id } = await scan();
      const findings = [finding('low'), finding('high')];
      await jobs.finishScan({ id, now: NOW, failure: null, findings, assessment: null });
      await jobs.finishScan({ id, now: NOW, failure: null, findings, assessment: null });
      const last = await scan({ domain: 'b.test' });
      await jobs.startScan({ id: last.id, now: NOW });
      await jobs.cancelScan({ id: last.id, now: NOW });
      await jobs.finishScan({ id: last.id, now: NOW, failure: null, findings: [], assessment: null });
      const other = await scan();
      await jobs.finishScan({
        id: other.id,
        now: NOW,
        failure: 'unreachable',
        findings: null,
        assessment: null,
      });
    },
    told: [
      {
        type: 'scan.finished',
        severity: 'high',
        data: {
          license: 'lic_1',
          domain: 'shop.test',
          outcome: 'done',
          findings: 2,
          worst: 'high',
          grade: null,
        },
      },
      { type: 'scan.finished', severity: 'info', data: { outcome: 'failed', failure: 'unreachable' } },
    ],
  },
  'a trust state is enabled, stays, and ends with its domain': {
    async cause() {
      await jobs.bindDomain({ licenseId: 1, domain: 'shop.test', now: NOW });
      await jobs.setTrust({ ...trust, enabled: true });
      await jobs.setTrust({ ...trust, enabled: true });
      await jobs.unbindDomain({ licenseId: 1, domain: 'shop.test', now: NOW });
    },
    told: [
      {
        type: 'trust.changed',
        data: { license: 'lic_1', domain: 'shop.test', enabled: true, show_grade: true },
      },
      { type: 'trust.changed', data: { enabled: false } },
    ],
  },
  'credentials are revoked with their license': {
    async cause() {
      await execute(
        db,
        `insert into credential_keys values ('k', '{}', 0, 0, null);
        insert into status_lists (issuer, created_at) values ('i', 0);`,
      );
      for (const at of [1, 2])
        await execute(
          db,
          `insert into credentials (public_id, license_id, type, domain, basis, kid, list_id, list_index, token, issued_at, expires_at)
            values ('c${at}', 1, 'site_posture', 'shop.test', '${at}', 'k', 1, ${at}, 't', 0, ${NOW + 1})`,
        );
      await jobs.changeLicense({ id: 1, change: { revokedAt: NOW } });
    },
    told: [
      {
        type: 'credential.revoked',
        data: { license: 'lic_1', domain: 'shop.test', credentials: 2, reason: 'requested' },
      },
    ],
  },
  'the feed is published, changes, stays, and is published late': {
    async cause() {
      await jobs.publishFeed(feed(1, 'a', 'b'));
      await jobs.publishFeed(feed(2, 'b', 'c', 'd'));
      await jobs.publishFeed(feed(3, 'b', 'c', 'd'));
      await jobs.publishFeed(feed(2, 'b'));
    },
    told: [
      { type: 'feed.changed', data: { epoch: 1, added: 2, entries: 2 } },
      { type: 'feed.changed', data: { epoch: 2, added: 2, entries: 3 } },
      { type: 'feed.withdrawn', data: { epoch: 2, withdrawn: 1, entries: 3 } },
    ],
  },
  'a site reports other components': {
    async cause() {
      const told = { licenseId: 1, siteId: 1, components: [], gone: [], receivedAt: NOW };
      await jobs.replaceInventory(told);
      await jobs.replaceInventory({ ...told, changes: { found: 2, exploited: 1, fixed: 0 } });
    },
    told: [
      { type: 'vulnerability.found', data: { license: 'lic_1', domain: 'shop.test', vulnerabilities: 2 } },
      { type: 'vulnerability.exploited', severity: 'critical', data: { vulnerabilities: 1 } },
    ],
  },
};

describe.each(Object.entries(CAUSES))('when %s', (_, { cause, told }) => {
  test('operators and its tenant receive an event, and no other tenant does', async () => {
    await addTarget(db, 'all');
    await addTarget(db, 'own', { licenseId: 1 });
    await addTarget(db, 'other', { licenseId: 2 });
    await cause();
    const events = await stored();
    expect(events).toMatchObject(told as typeof events);
    expect(events).toHaveLength(told.length);
    for (const { type, data, targets } of events) {
      // The tenant of a revoked license receives only that it is revoked.
      const isOperators = /^feed|acknowledged|^credential/.test(type) || String(data.license).includes('..');
      expect([type, targets]).toEqual([type, isOperators ? 1 : 2]);
    }
  });

  test('nothing is stored without a target that receives it', async () => {
    await addTarget(db, 'other', { licenseId: 2 });
    await addTarget(db, 'pager', { events: ['system.problem'] });
    await cause();
    expect(await stored(true)).toEqual([]);
    expect(await prepare<object>(db, 'select * from noted_states').all()).toEqual([]);
  });
});

test('every entry of the audit log creates an event without the values of facts, and with its reason apart', async () => {
  await addTarget(db, 'siem', { events: ['audit'] });
  await audit('license.change', { reason: 'a call', requestId: 'r1', after: { customer: 'Acme' } });
  await jobs.audit({ at: NOW, actor: 'system', action: 'operator.sign-in-failed', subject: null });
  const [first, second] = await stored(true);
  expect(first?.data).toEqual({
    action: 'license.change',
    actor: 'operator:ann',
    subject: 'lic_1',
    changed: 'customer',
    request_id: 'r1',
  });
  expect(second).toMatchObject({ type: 'audit', severity: 'medium' });
  expect(await prepare<object>(db, 'select personal from outbox order by id').all()).toEqual([
    { personal: '{"reason":"a call"}' },
    { personal: null },
  ]);
});

test('a change that is rolled back creates no event', async () => {
  await addTarget(db, 'all');
  const target = newTarget('all', { publicId: 'tgt_again' });
  expect(await jobs.addTarget(target)).toMatchObject({ refused: 'ACT_REFUSED' });
  await db.connection.beginChanging();
  await audit('license.suspend');
  await db.connection.rollback();
  expect(await types()).toEqual([]);
});

const NOT_USABLE: Readonly<Record<string, LicenseChange>> = {
  suspended: { holds: ['operator'] },
  expired: { expiresAt: NOW - 1 },
  'past due': { paymentHolds: ['payment'] },
  downgraded: { plan: 'free' },
  revoked: { revokedAt: NOW - 1 },
};

test.each(Object.entries(NOT_USABLE))(
  'the tenant of a license that is %s receives only what happens to its license, and operators everything',
  async (_, change) => {
    await addTarget(db, 'all');
    const id = await addTarget(db, 'own', { licenseId: 1 });
    await jobs.changeLicense({ id: 1, change });
    await audit('license.suspend');
    await telemetry('malware', NOW);
    await jobs.addRefusedDomains({
      refusals: [{ licenseId: 1, domain: 'more.test', reason: 'suspended', count: 1, lastAt: NOW }],
    });
    const changes = { found: 1, exploited: 1, fixed: 0 };
    const licenses = [{ licenseId: 1, customer: null, changes, sites: changes }];
    await jobs.digestImport({ licenses, snapshot: 's', now: NOW });
    const received = (await stored()).map(({ type, targets }) => [type, targets]);
    expect(received).toContainAllValues([
      ['license.suspended', 2],
      ['alert.opened', 1],
      ['license.refused', 1],
      ['vulnerability.found', 1],
      ['vulnerability.exploited', 1],
    ]);
    expect(await jobs.replayDeliveries({ id, since: 0, now: NOW })).toBe(0);
    if (change.revokedAt !== undefined) return;
    await jobs.changeLicense({
      id: 1,
      change: { holds: [], expiresAt: null, paymentHolds: [], plan: 'pro' },
    });
    await telemetry('backdoor', NOW + 1);
    expect((await stored()).at(-1)).toMatchObject({ type: 'alert.opened', targets: 2 });
  },
);

test('an import creates one event of each type per target, for the licenses of the target', async () => {
  await addTarget(db, 'all');
  await addTarget(db, 'more');
  await addTarget(db, 'second', { licenses: [2] });
  await addTarget(db, 'acme', { customers: ['Acme'] });
  await addTarget(db, 'own', { licenseId: 1 });
  await addTarget(db, 'severe', { minSeverity: 'critical' });
  const found = (licenseId: number, customer: string | null, each: number) => ({
    licenseId,
    customer,
    changes: { found: each, exploited: 1, fixed: 0 },
    sites: { found: 1, exploited: 1, fixed: 0 },
  });
  await jobs.digestImport({ licenses: [found(1, 'Acme', 5), found(2, null, 7)], snapshot: 's', now: NOW });
  const ofFound = (await stored()).filter(({ type }) => type === 'vulnerability.found');
  expect(ofFound.map(({ data, targets }) => [data.vulnerabilities, data.sites, targets])).toEqual([
    [12, 2, 2],
    [7, 1, 1],
    [5, 1, 1],
    [5, 1, 1],
  ]);
  expect((await types()).filter((type) => type === 'vulnerability.exploited')).toHaveLength(4);
  const waiting = await prepare<{ waiting: number }>(
    db,
    'select waiting from target_states order by target_id',
  ).all();
  expect(waiting.map((row) => row.waiting)).toEqual([2, 2, 2, 2, 2, 1]);
});
