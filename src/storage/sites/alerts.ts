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

/** Events of a site told of some of its alerts. */
export const alertsTold = reactionPoint<{
  readonly licenseId: number;
  readonly siteId: number;
  readonly subjects: readonly string[];
  readonly now: number;
}>();

/** Keeps alerts; its functions are parts of the jobs that add events. */
export function keepAlerts(db: Database) {
  const react = alertsTold.of(db);
  const known = prepare<{ subjects: number }>(
    db,
    'select count(*) as subjects from alerts where license_id = :licenseId and site_id = :siteId',
  );
  const later = (column: string) => {
    const [known, told] = [`alerts.${column}`, `excluded.${column}`];
    return `${column} = ${db.sqlDialect.larger}(coalesce(${known}, ${told}), coalesce(${told}, ${known}))`;
  };
  // Also where it happened before what was acknowledged: nobody had been told of it.
  const unlessTold = (column: string) =>
    `${column} = case when coalesce(excluded.critical_at, excluded.high_at) is null then alerts.${column} end`;
  const merge = prepare(
    db,
    `
    insert into alerts (license_id, site_id, subject, critical_at, high_at, resolved_at)
      values (:licenseId, :siteId, :subject, :criticalAt, :highAt, :resolvedAt)
      on conflict (license_id, site_id, subject) do update set
        ${later('critical_at')}, ${later('high_at')}, ${later('resolved_at')},
        ${unlessTold('acknowledged_at')}, ${unlessTold('acknowledged_by')}, ${unlessTold('acknowledged_note')}
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
    /** Takes in what events of one site told; where that is too much, the least of it makes room. */
    async tellAlerts(
      licenseId: number,
      siteId: number,
      told: readonly AlertFacts[],
      nowMs: number,
    ): Promise<void> {
      if (told.length === 0) return;
      const merged = told.map((facts) => merge.run({ licenseId, siteId, ...facts }));
      const [kept] = await Promise.all([known.get({ licenseId, siteId }), ...merged]);
      if ((kept?.subjects ?? 0) > ALERTS_MAX) await makeRoom(licenseId, siteId, nowMs);
      await react({ licenseId, siteId, subjects: told.map(({ subject }) => subject), now: nowMs });
    },
  };
}

/** An alert that an operator knows of, as it was told up to then. */
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
    /** Notes that an operator sees to an alert, until more is told of it. */
    acknowledgeAlert: async (input: Acknowledgement): Promise<Refusal | undefined> =>
      setAcknowledgement(input),

    /** Takes that back. */
    unacknowledgeAlert: async (alert: KnownAlert): Promise<Refusal | undefined> =>
      setAcknowledgement({ ...alert, at: null, by: null, note: null }),

    /** Forgets alerts of which nothing was told since a moment. */
    forgetAlerts: ofRetention(
      ({ now }) => ({ toldBefore: now - INCIDENT_DAYS * DAY_MS }),
      async ({ toldBefore }: { toldBefore: number }): Promise<void> => {
        await db.run(sql`
        delete from ${alerts} where coalesce(${alerts.criticalAt} < ${toldBefore}, true)
          and coalesce(${alerts.highAt} < ${toldBefore}, true)
          and coalesce(${alerts.resolvedAt} < ${toldBefore}, true)
      `);
      },
    ),
  };
}

/** Reads what was told of a tenant's alerts; domain/site/alerts.ts says which are open. */
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
