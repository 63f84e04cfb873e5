import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { alertsOf, INCIDENT_DAYS, incidentSeverity, openAlert } from '../../../src/domain/site/alerts.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';
import { oneAfterAnother } from '../../../src/lib/one-after-another.ts';
import { acknowledgeAlert, markOf, unacknowledgeAlert } from '../../../src/operator/acknowledge-alert.ts';
import { alertCursor, parseAlertCursor } from '../../../src/operator/shown-alert.ts';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { execute, prepare } from '../../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../../src/storage/jobs.ts';
import { keepAlerts, readAlerts } from '../../../src/storage/sites/alerts.ts';
import { readCriticalAlerts, readNewestCriticalAlerts } from '../../../src/storage/sites/critical-alerts.ts';
import {
  type AlertFilter,
  type AlertPosition,
  readOpenAlerts,
} from '../../../src/storage/sites/open-alerts.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const NOW = 100 * DAY_MS;
const moment = fc.option(fc.integer({ min: 60, max: 100 }).map((day) => day * DAY_MS));

test('retention deletes only alerts that are neither open nor incidents of the month, and no alert reopens', async () => {
  const db = await engine.open({ loose: true });
  const { forgetAlerts } = prepareJobs(db);
  const insert = prepare(
    db,
    'insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at) values (1, 1, ?, ?, ?, ?)',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(moment, moment, moment), { maxLength: 12 }), async (rows) => {
      await execute(db, 'delete from alerts');
      for (const [index, row] of rows.entries()) await insert.run(`s${index}`, ...row);
      const read = () => readAlerts(db).ofSite(1, 1);
      const before = await read();
      await forgetAlerts({ reportedBefore: NOW - INCIDENT_DAYS * DAY_MS });
      const kept = new Set((await read()).map(({ subject }) => subject));
      for (const facts of before) {
        const newest = Math.max(facts.criticalAt ?? 0, facts.highAt ?? 0, facts.resolvedAt ?? 0);
        expect(kept.has(facts.subject)).toBe(newest >= NOW - INCIDENT_DAYS * DAY_MS);
        if (kept.has(facts.subject)) continue;
        expect(openAlert(facts, NOW)).toBeUndefined();
        expect(incidentSeverity(facts, NOW)).toBeUndefined();
      }
    }),
  );
  await disconnect(db);
});

const when = fc.integer({ min: -9, max: 0 }).map((days) => NOW + days * DAY_MS);
const event = fc.record({
  type: fc.constantFrom('malware_found', 'malware_resolved', 'login_failed', 'login_blocked'),
  severity: fc.constantFrom('low' as const, 'high' as const, 'critical' as const),
  occurredAt: when,
});

test('an acknowledgement never hides a later report, at any time of the event or the clock, and only such a report ends it', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  const jobs = prepareJobs(db);
  const { updateAlerts } = keepAlerts(db);
  const alert = { licenseId: 1, domain: 'shop.test', subject: 'malware' };
  const by = (now: number) => ({ actor: 'operator:alice' as const, now });
  const step = fc.oneof(
    fc.array(event, { minLength: 1, maxLength: 3 }),
    fc.record({ act: fc.constantFrom('acknowledge', 'unacknowledge'), now: when }),
  );
  let hidden = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      await execute(db, 'delete from alerts');
      let isAcknowledged = false;
      for (const each of steps) {
        if (Array.isArray(each)) {
          await updateAlerts(1, 1, alertsOf(each), NOW);
          const told = alertsOf(each).filter(({ subject }) => subject === alert.subject);
          if (told.some(({ criticalAt, highAt }) => (criticalAt ?? highAt) !== null)) isAcknowledged = false;
        } else {
          const isNew = each.act === 'acknowledge';
          const planned = isNew
            ? await acknowledgeAlert(db, alert, {}, by(each.now))
            : await unacknowledgeAlert(db, alert, undefined, by(each.now));
          if ('refused' in planned) continue;
          for (const job of planned.jobs) {
            if (job.name === 'acknowledgeAlert')
              expect(await jobs.acknowledgeAlert(job.input)).toBeUndefined();
            if (job.name === 'unacknowledgeAlert')
              expect(await jobs.unacknowledgeAlert(job.input)).toBeUndefined();
          }
          isAcknowledged = isNew;
        }
        const kept = await readOpenAlerts(db).find(1, 'shop.test', 'malware');
        expect((kept?.acknowledgedAt ?? null) !== null).toBe(isAcknowledged);
        if (isAcknowledged) hidden += 1;
      }
    }),
    { numRuns: engine.runs(100) },
  );
  expect(hidden).toBeGreaterThan(engine.runs(100) / 10);
  await disconnect(db);
});

test('a report during an acknowledgement is not hidden: the job refuses, and so does the plan for an unseen report', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  const jobs = prepareJobs(db);
  const { updateAlerts } = keepAlerts(db);
  const alert = { licenseId: 1, domain: 'shop.test', subject: 'malware' };
  const tell = (occurredAt: number) =>
    updateAlerts(1, 1, alertsOf([{ type: 'malware_found', severity: 'critical', occurredAt }]), NOW);
  const act = { actor: 'cli:alice' as const, now: NOW };
  await tell(NOW - 5);
  const seen = markOf({ criticalAt: NOW - 5, highAt: null, acknowledgedAt: null });
  const planned = await acknowledgeAlert(db, alert, { seen }, act);
  await tell(NOW - 4);
  const [job] = 'jobs' in planned ? planned.jobs : [];
  expect(job?.name === 'acknowledgeAlert' && (await jobs.acknowledgeAlert(job.input))).toMatchObject({
    refused: 'ACT_REFUSED',
  });
  const late = await acknowledgeAlert(db, alert, { seen }, act);
  // Not toMatchObject: it would modify this constant.
  expect('refused' in late && late.refused).toContain('has changed since');
  expect(await readOpenAlerts(db).find(1, 'shop.test', 'malware')).toMatchObject({ acknowledgedAt: null });
  await disconnect(db);
});

test('the alerts of a revoked license need no action: they are neither listed nor counted', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  prepareJobs(db);
  const { updateAlerts } = keepAlerts(db);
  const told = alertsOf([{ type: 'malware_found', severity: 'critical', occurredAt: NOW - 5 }]);
  await updateAlerts(1, 1, told, NOW);
  const seen = async () => ({
    counts: await readCriticalAlerts(db)(NOW),
    newest: (await readNewestCriticalAlerts(db)(10, NOW)).length,
    listed: (await readOpenAlerts(db).page({}, { limit: 10 }, NOW)).alerts.length,
  });
  expect(await seen()).toEqual({
    counts: { open: 1, unacknowledged: 1, oldestAt: NOW - 5 },
    newest: 1,
    listed: 1,
  });
  await execute(db, 'update licenses set revoked_at = 1 where id = 1');
  expect(await seen()).toEqual({
    counts: { open: 0, unacknowledged: 0, oldestAt: null },
    newest: 0,
    listed: 0,
  });
  await disconnect(db);
});

test('pages of open alerts contain each once, in order, with any filter', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  const insert = prepare(
    db,
    'insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at, acknowledged_at) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const facts = fc.record({
    tenant: fc.constantFrom(1, 2),
    criticalAt: fc.option(when),
    highAt: fc.option(when),
    resolvedAt: fc.option(when),
    acknowledgedAt: fc.option(fc.constant(NOW)),
  });
  const filters: fc.Arbitrary<AlertFilter> = fc.record({
    severity: fc.constantFrom(undefined, 'high', 'critical'),
    licenseId: fc.constantFrom(undefined, 1, 3),
    domain: fc.constantFrom(undefined, undefined, 'shop.test', 'other.test'),
    isAcknowledged: fc.constantFrom(undefined, true, false),
  });
  await fc.assert(
    fc.asyncProperty(
      ...([fc.array(facts, { maxLength: 20 }), filters, fc.integer({ min: 1, max: 4 })] as const),
      async (all, filter, limit) => {
        await execute(db, 'delete from alerts');
        const inserted = await oneAfterAnother(all, async (each, index) => {
          const { tenant, criticalAt, highAt, resolvedAt, acknowledgedAt } = each;
          const subject = `s${index}`;
          await insert.run(tenant, tenant, subject, criticalAt, highAt, resolvedAt, acknowledgedAt);
          const open = openAlert({ ...each, subject }, NOW);
          const isIn =
            open !== undefined &&
            (filter.severity ?? open.severity) === open.severity &&
            (filter.licenseId ?? tenant) === tenant &&
            (filter.domain ?? 'shop.test') === 'shop.test' &&
            (filter.isAcknowledged ?? acknowledgedAt !== null) === (acknowledgedAt !== null);
          const at = open?.severity === 'critical' ? criticalAt : highAt;
          return isIn
            ? [{ subject, at: at ?? 0, severity: open.severity, isDone: acknowledgedAt !== null }]
            : [];
        });
        const wanted = inserted.flat();
        const walked: { subject: string; at: number; severity: string; isDone: boolean }[] = [];
        let from: AlertPosition | undefined;
        do {
          const { alerts, next } = await readOpenAlerts(db).page(filter, { from, limit }, NOW);
          if (next !== undefined) expect(alerts).toHaveLength(limit);
          for (const { subject, severity, criticalAt, highAt, acknowledgedAt } of alerts) {
            const at = (severity === 'critical' ? criticalAt : highAt) ?? 0;
            walked.push({ subject, at, severity, isDone: acknowledgedAt !== null });
          }
          from = next && parseAlertCursor(alertCursor(next));
        } while (from !== undefined);
        expect(new Set(walked.map(({ subject }) => subject))).toEqual(
          new Set(wanted.map(({ subject }) => subject)),
        );
        expect(walked).toHaveLength(wanted.length);
        const inOrder = walked.toSorted(
          (one, other) =>
            Number(one.isDone) - Number(other.isDone) ||
            one.severity.localeCompare(other.severity) ||
            other.at - one.at,
        );
        expect(walked).toEqual(inOrder);
      },
    ),
  );
  await disconnect(db);
});
