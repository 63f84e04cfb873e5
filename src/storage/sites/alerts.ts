import { and, eq, sql } from 'drizzle-orm';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import {
  ALERTS_MAX,
  type AlertFacts,
  INCIDENT_DAYS,
  leastAlerts,
  MORE_ALERTS,
  openAlert,
} from '../../domain/site/alerts.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { alerts } from './tables.ts';

/** Events of a site reported some of its alerts. */
export const alertsReported = reactionPoint<{
  readonly licenseId: number;
  readonly siteId: number;
  readonly subjects: readonly string[];
  readonly now: number;
}>();

/** Stores alerts; its functions run in the jobs that add events. */
export function keepAlerts(db: Database) {
  const react = alertsReported.of(db);
  const known = prepare<{ subjects: number }>(
    db,
    'select count(*) as subjects from alerts where license_id = :licenseId and site_id = :siteId',
  );
  const later = (column: string) => {
    const [known, reported] = [`alerts.${column}`, `excluded.${column}`];
    return `${column} = ${db.sqlDialect.larger}(coalesce(${known}, ${reported}), coalesce(${reported}, ${known}))`;
  };
  // Also for events from before the acknowledgement: they had not been reported then.
  const unlessReported = (column: string) =>
    `${column} = case when coalesce(excluded.critical_at, excluded.high_at) is null then alerts.${column} end`;
  const merge = prepare(
    db,
    `
    insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at)
      values (:licenseId, :siteId, :subject, :criticalAt, :highAt, :resolvedAt)
      on conflict (license_id, site_id, subject) do update set
        ${later('critical_at')}, ${later('high_at')}, ${later('resolved_at')},
        ${unlessReported('acknowledged_at')}, ${unlessReported('acknowledged_by')}, ${unlessReported('acknowledged_note')}
    `,
  );

  const ofSite = prepare<AlertFacts>(
    db,
    `
    select subject, critical_at as criticalAt, high_at as highAt, resolved_at as resolvedAt
      from alerts where license_id = :licenseId and site_id = :siteId
    `,
  );
  const drop = prepare(
    db,
    'delete from alerts where license_id = :licenseId and site_id = :siteId and subject = :subject',
  );

  const makeRoom = async (licenseId: number, siteId: number, nowMs: number): Promise<void> => {
    for (const facts of leastAlerts(await ofSite.all({ licenseId, siteId }), nowMs)) {
      await drop.run({ licenseId, siteId, subject: facts.subject });
      if (openAlert(facts, nowMs)) {
        await merge.run({ licenseId, siteId, ...facts, subject: MORE_ALERTS, resolvedAt: null });
      }
    }
  };

  return {
    /** Updates the alerts of one site from its events; beyond the limit, removes the least important ones. */
    async updateAlerts(
      licenseId: number,
      siteId: number,
      reported: readonly AlertFacts[],
      nowMs: number,
    ): Promise<void> {
      if (reported.length === 0) return;
      const merged = reported.map((facts) => merge.run({ licenseId, siteId, ...facts }));
      const [kept] = await Promise.all([known.get({ licenseId, siteId }), ...merged]);
      if ((kept?.subjects ?? 0) > ALERTS_MAX) await makeRoom(licenseId, siteId, nowMs);
      await react({ licenseId, siteId, subjects: reported.map(({ subject }) => subject), now: nowMs });
    },
  };
}

/** An alert in the state that an operator has seen. */
export interface KnownAlert
  extends Pick<Row<typeof alerts>, 'licenseId' | 'siteId' | 'subject' | 'criticalAt' | 'highAt'> {
  readonly knownAcknowledgedAt: number | null;
}

export interface Acknowledgement extends KnownAlert {
  readonly at: number;
  readonly by: string;
  readonly note: string | null;
}

export function alertJobs(db: Database) {
  const acknowledge = prepare(
    db,
    `
    update alerts set acknowledged_at = :at, acknowledged_by = :by, acknowledged_note = :note
      where license_id = :licenseId and site_id = :siteId and subject = :subject
        and critical_at is not distinct from :criticalAt and high_at is not distinct from :highAt
        and acknowledged_at is not distinct from :knownAcknowledgedAt
    `,
  );
  const setAcknowledgement = async (
    input: Acknowledgement | (KnownAlert & Record<'at' | 'by' | 'note', null>),
  ) =>
    (await acknowledge.run({ ...input })).changes === 0
      ? refuse('ACT_REFUSED', 'This alert has changed since you opened it. Reload the page.')
      : undefined;

  return {
    /** Acknowledges an alert until more is reported. */
    acknowledgeAlert: async (input: Acknowledgement): Promise<Refusal | undefined> =>
      setAcknowledgement(input),

    unacknowledgeAlert: async (alert: KnownAlert): Promise<Refusal | undefined> =>
      setAcknowledgement({ ...alert, at: null, by: null, note: null }),

    /** Deletes alerts without a report since a moment. */
    forgetAlerts: ofRetention(
      ({ now }) => ({ reportedBefore: now - INCIDENT_DAYS * DAY_MS }),
      async ({ reportedBefore }: { reportedBefore: number }): Promise<void> => {
        await db.run(sql`
        delete from ${alerts} where coalesce(${alerts.criticalAt} < ${reportedBefore}, true)
          and coalesce(${alerts.highAt} < ${reportedBefore}, true)
          and coalesce(${alerts.resolvedAt} < ${reportedBefore}, true)
      `);
      },
    ),
  };
}

/** Reads a tenant's alerts; domain/site/alerts.ts decides which are open. */
export function readAlerts(db: Database) {
  const { licenseId, siteId, subject, criticalAt, highAt, resolvedAt } = alerts;
  const ofSite = lazily(() =>
    db
      .select({ subject, criticalAt, highAt, resolvedAt })
      .from(alerts)
      .where(and(eq(licenseId, sql.placeholder('licenseId')), eq(siteId, sql.placeholder('siteId'))))
      .prepare(),
  );

  return {
    ofSite: async (licenseId: number, siteId: number): Promise<AlertFacts[]> =>
      ofSite.all({ licenseId, siteId }),
  };
}

export type AlertReads = ReturnType<typeof readAlerts>;
