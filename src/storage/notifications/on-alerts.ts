import { licenseName } from '../../domain/license/license-name.ts';
import { type AlertFacts, openAlert } from '../../domain/site/alerts.ts';
import { iso } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import type { React } from '../engine/jobs/reactions.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { prepareAppend } from './append.ts';
import { prepareNoted } from './noted-states.ts';

/** An alert that was reported again, or may have timed out. */
export interface ChangedAlert {
  readonly licenseId: number;
  readonly siteId: number;
  readonly subject: string;
}

const TYPES = ['alert.opened', 'alert.closed'] as const;

/** The key of the alert that stands for all alerts over the limit. */
const FURTHER = 'further';

export const alertKey = ({ siteId, subject }: Pick<ChangedAlert, 'siteId' | 'subject'>): string =>
  `${siteId} ${subject}`;

/** Records that alerts opened, became critical or closed. One that closes was recorded as open before. */
export const prepareAlertEvents = perDatabase((db: Database) => {
  const { append } = prepareAppend(db);
  const { note, stateOf, drop } = prepareNoted(db);
  const factsOf = prepare<AlertFacts>(
    db,
    `
    select subject, critical_at as criticalAt, high_at as highAt, resolved_at as resolvedAt
      from alerts where license_id = :licenseId and site_id = :siteId and subject = :subject
    `,
  );
  const siteOf = prepareSiteNames(db);

  return async (alert: ChangedAlert, now: number): Promise<void> => {
    const { licenseId, siteId, subject } = alert;
    const facts = await factsOf.get({ licenseId, siteId, subject });
    const open = facts && openAlert(facts, now);
    const key = alertKey(alert);
    const known = await stateOf('alert', key);
    if (open === undefined && known === undefined) return;
    const isChanged = open
      ? await note('alert', key, open.severity, now)
      : (await drop('alert', key)) !== undefined;
    // A lower severity was an event already.
    if (!isChanged || (open && known === 'critical')) return;
    const data = { license: licenseName(licenseId), ...(await siteOf(siteId)), alert: subject || FURTHER };
    await append([
      open
        ? {
            type: 'alert.opened',
            severity: open.severity,
            at: now,
            licenseId,
            data: { ...data, last_occurred_at: iso(open.lastOccurredAt) },
          }
        : { type: 'alert.closed', severity: 'info', at: now, licenseId, data },
    ]);
  };
});

/** The name of a site in events. */
export const prepareSiteNames = perDatabase((db: Database) => {
  const names = prepare<{ domain: string; siteId: string | null }>(
    db,
    `
    select domain, (select public_id from site_summaries where site_id = sites.id) as siteId
      from sites where id = ?
    `,
  );
  return async (id: number): Promise<{ site_id: string | null; domain: string | null }> => {
    const found = await names.get(id);
    return { site_id: found?.siteId ?? null, domain: found?.domain ?? null };
  };
});

/** The reaction to reports of alerts. */
export function recordAlerts(db: Database): React<{
  readonly licenseId: number;
  readonly siteId: number;
  readonly subjects: readonly string[];
  readonly now: number;
}> {
  const { isAnyWanted } = prepareAppend(db);
  const record = prepareAlertEvents(db);
  return async ({ licenseId, siteId, subjects, now }) => {
    if (!(await isAnyWanted(TYPES, licenseId))) return;
    for (const subject of subjects) await record({ licenseId, siteId, subject }, now);
  };
}
