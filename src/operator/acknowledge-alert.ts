import { licenseName } from '../domain/license/license.ts';
import { MORE_ALERTS, openAlert } from '../domain/site/alerts.ts';
import type { KnownAlert } from '../storage/alerts.ts';
import type { Database } from '../storage/engine/database.ts';
import { readOpenAlerts, type SiteAlert } from '../storage/open-alerts.ts';
import { type Act, type ActOutcome, audited, unchanged } from './act.ts';

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

const known = ({ licenseId, siteId, subject, criticalAt, highAt }: SiteAlert): KnownAlert => ({
  ...{ licenseId, siteId, subject, criticalAt, highAt },
});

/**
 * Plans to note that an operator sees to an open alert. It holds until more is told of it; its tenant sees nothing of that.
 *
 * @param seenAt when that happened last of which the operator knows; undefined = whatever was told up to now
 */
export async function acknowledgeAlert(
  db: Database,
  alert: NamedAlert,
  { note, seenAt }: { readonly note?: string | undefined; readonly seenAt?: number | undefined },
  act: Act,
): Promise<ActOutcome> {
  const { licenseId, domain, subject } = alert;
  const found = await readOpenAlerts(db).find(licenseId, domain, subject);
  const open = found && openAlert(found, act.now);
  if (found === undefined || open === undefined) return { refused: `no alert ${nameOf(alert)} is open` };
  if (seenAt !== undefined && seenAt !== open.lastOccurredAt)
    return { refused: 'more was told of this alert meanwhile: look at it again' };
  const { acknowledgedAt, acknowledgedNote } = found;
  if (acknowledgedAt !== null && acknowledgedNote === (note ?? null))
    return unchanged(`the alert ${nameOf(alert)} is acknowledged already`);
  const input = { ...known(found), at: act.now, by: act.actor, note: note ?? null };
  return audited(act, 'alert.acknowledge', licenseName(licenseId), [{ name: 'acknowledgeAlert', input }], {
    after: { domain, subject, note: note ?? null },
  });
}

/** Plans to take an acknowledgement back. */
export async function unacknowledgeAlert(db: Database, alert: NamedAlert, act: Act): Promise<ActOutcome> {
  const { licenseId, domain, subject } = alert;
  const found = await readOpenAlerts(db).find(licenseId, domain, subject);
  if (found === undefined || found.acknowledgedAt === null)
    return { refused: `no alert ${nameOf(alert)} is acknowledged` };
  const job = { name: 'unacknowledgeAlert', input: known(found) } as const;
  return audited(act, 'alert.unacknowledge', licenseName(licenseId), [job], {
    after: { domain, subject },
  });
}
