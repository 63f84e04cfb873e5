import { licenseName } from '../domain/license/license-name.ts';
import { MORE_ALERTS, openAlert } from '../domain/site/alerts.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { KnownAlert } from '../storage/sites/alerts.ts';
import { readOpenAlerts, type SiteAlert } from '../storage/sites/open-alerts.ts';
import { type Act, type ActOutcome, audited, unchanged, withUnchangedNotice } from './act.ts';

/** How long the note of an acknowledgement may be. */
export const ALERT_NOTE_CHARACTERS_MAX = 200;

/** What an alert is called by. */
export interface NamedAlert {
  readonly licenseId: number;
  /** Normalised. */
  readonly domain: string;
  readonly subject: string;
}

const nameOf = ({ licenseId, domain, subject }: NamedAlert): string =>
  `${subject === MORE_ALERTS ? 'of further alerts' : `"${subject}"`} on ${domain} (${licenseName(licenseId)})`;

const known = (alert: SiteAlert): KnownAlert => {
  const { licenseId, siteId, subject, criticalAt, highAt, acknowledgedAt } = alert;
  return { licenseId, siteId, subject, criticalAt, highAt, knownAcknowledgedAt: acknowledgedAt };
};

/** The state of an alert that an operator has seen: differs after any change. */
export const markOf = ({
  criticalAt,
  highAt,
  acknowledgedAt,
}: Pick<SiteAlert, 'criticalAt' | 'highAt' | 'acknowledgedAt'>): string =>
  [criticalAt, highAt, acknowledgedAt].map((at) => at ?? '').join('.');

const changedMeanwhile = { refused: 'this alert has changed since you opened it. Reload the page' };

/**
 * Plans to acknowledge an open alert for an operator, until its next report. The tenant does not see it.
 *
 * @param seen the state that the operator has seen, see {@link markOf}; undefined = the current one
 */
export async function acknowledgeAlert(
  db: Database,
  alert: NamedAlert,
  { note, seen }: { readonly note?: string | undefined; readonly seen?: string | undefined },
  act: Act,
): Promise<ActOutcome> {
  const { licenseId, domain, subject } = alert;
  const found = await readOpenAlerts(db).find(licenseId, domain, subject);
  if (found === undefined || openAlert(found, act.now) === undefined)
    return { refused: `this site of ${licenseName(licenseId)} has no open alert on this subject` };
  if (seen !== undefined && seen !== markOf(found)) return changedMeanwhile;
  const { acknowledgedAt, acknowledgedBy, acknowledgedNote } = found;
  if (acknowledgedAt !== null && acknowledgedNote === (note ?? null))
    return unchanged(`the alert ${nameOf(alert)} is already acknowledged`);
  const input = { ...known(found), at: act.now, by: act.actor, note: note ?? null };
  return audited(act, 'alert.acknowledge', licenseName(licenseId), [{ name: 'acknowledgeAlert', input }], {
    ...(acknowledgedAt === null ? {} : { before: { acknowledgedBy, note: acknowledgedNote } }),
    after: { domain, subject, note: note ?? null },
  });
}

/** Plans to acknowledge several alerts with one note. Alerts that have changed since they were seen, or are closed, are left. */
export async function acknowledgeAlerts(
  db: Database,
  alerts: readonly (NamedAlert & { readonly seen?: string | undefined })[],
  note: string | undefined,
  act: Act,
): Promise<ActOutcome> {
  const jobs: Job[] = [];
  let left = 0;
  for (const { seen, ...alert } of alerts) {
    const planned = await acknowledgeAlert(db, alert, { note, seen }, act);
    if ('refused' in planned) left += 1;
    else jobs.push(...planned.jobs);
  }
  if (left === alerts.length)
    return { refused: 'these alerts have changed since you opened the page, or are closed. Reload the page' };
  return left === 0
    ? withUnchangedNotice({ jobs })
    : {
        jobs,
        notices: [`${left} of the alerts changed since you opened the page, or were closed, and were left`],
      };
}

/**
 * Plans to withdraw the acknowledgement of an open alert.
 *
 * @param seen as of {@link acknowledgeAlert}
 */
export async function unacknowledgeAlert(
  db: Database,
  alert: NamedAlert,
  seen: string | undefined,
  act: Act,
): Promise<ActOutcome> {
  const { licenseId, domain, subject } = alert;
  const found = await readOpenAlerts(db).find(licenseId, domain, subject);
  if (found === undefined || found.acknowledgedAt === null || openAlert(found, act.now) === undefined)
    return {
      refused: `this site of ${licenseName(licenseId)} has no acknowledged open alert on this subject`,
    };
  if (seen !== undefined && seen !== markOf(found)) return changedMeanwhile;
  const { acknowledgedBy, acknowledgedNote } = found;
  const job = { name: 'unacknowledgeAlert', input: known(found) } as const;
  return audited(act, 'alert.unacknowledge', licenseName(licenseId), [job], {
    before: { acknowledgedBy, note: acknowledgedNote },
    after: { domain, subject },
  });
}
