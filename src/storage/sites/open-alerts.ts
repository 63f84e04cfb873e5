import { ALERT_OPEN_DAYS, type OpenAlert, openAlert } from '../../domain/site/alerts.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import type { alerts } from './tables.ts';

type AlertRow = Row<typeof alerts>;

/** An alert of any license, for operators. */
export interface SiteAlert extends AlertRow {
  readonly domain: string;
}

export type OpenSiteAlert = SiteAlert & OpenAlert;

export interface AlertFilter {
  readonly severity?: OpenAlert['severity'] | undefined;
  readonly licenseId?: number | undefined;
  /** Normalised. */
  readonly domain?: string | undefined;
  readonly isAcknowledged?: boolean | undefined;
  readonly licenses?: ReadonlySet<number> | undefined;
  /** A subject, or the beginning of one. */
  readonly subject?: string | undefined;
  /** Only alerts whose last event is at least this old, in milliseconds since the Unix epoch. */
  readonly lastBefore?: number | undefined;
}

/** The position of the alert before a page. */
export interface AlertPosition {
  readonly group: number;
  readonly at: number;
  readonly licenseId: number;
  readonly siteId: number;
  readonly subject: string;
}

export interface AlertPage {
  readonly alerts: readonly OpenSiteAlert[];
  /** Where the next page begins; undefined = there is none. */
  readonly next: AlertPosition | undefined;
}

/** The order of groups. */
const GROUPS = [
  { severity: 'critical', isAcknowledged: false },
  { severity: 'high', isAcknowledged: false },
  { severity: 'critical', isAcknowledged: true },
  { severity: 'high', isAcknowledged: true },
] as const;
export const ALERT_GROUPS = GROUPS.length;

/** Limit of rows read for one page. */
const STEPS_MAX = 20_000;

const COLUMNS = `license_id as licenseId, site_id as siteId, subject, critical_at as criticalAt, high_at as highAt,
  resolved_at as resolvedAt, acknowledged_at as acknowledgedAt, acknowledged_by as acknowledgedBy,
  acknowledged_note as acknowledgedNote`;

/** Reads the alerts of all licenses. */
export function readOpenAlerts(db: Database) {
  const newestBy = (at: string) =>
    prepare<AlertRow>(
      db,
      `
      select ${COLUMNS} from alerts
        where license_id not in (select id from licenses where revoked_at is not null)
          and ${at} >= :since and (${at}, license_id, site_id, subject) < (:at, :licenseId, :siteId, :subject)
        order by ${at} desc, license_id desc, site_id desc, subject desc limit :limit
      `,
    );
  const newest = { critical: newestBy('critical_at'), high: newestBy('high_at') };
  const domainOf = prepare<{ domain: string }>(db, 'select domain from sites where id = ?');
  const siteOf = prepare<{ id: number }>(
    db,
    'select id from sites where license_id = :licenseId and domain = :domain',
  );
  const find = prepare<AlertRow>(
    db,
    `select ${COLUMNS} from alerts where license_id = :licenseId and site_id = :siteId and subject = :subject`,
  );

  return {
    /** An alert of a site, open or not. */
    async find(licenseId: number, domain: string, subject: string): Promise<SiteAlert | undefined> {
      const siteId = (await siteOf.get({ licenseId, domain }))?.id;
      const row = siteId === undefined ? undefined : await find.get({ licenseId, siteId, subject });
      return row && { ...row, domain };
    },

    /**
     * Open alerts, unacknowledged and critical ones first, then the latest. A page that has read enough ends early, possibly
     * empty, and returns where to continue.
     *
     * @param from where it begins; undefined = at the beginning
     */
    async page(
      { severity, licenseId, licenses, domain, subject, isAcknowledged, lastBefore }: AlertFilter,
      { from, limit }: { readonly from?: AlertPosition | undefined; readonly limit: number },
      now: number,
    ): Promise<AlertPage> {
      const alerts: OpenSiteAlert[] = [];
      const since = now - ALERT_OPEN_DAYS * DAY_MS;
      let steps = 0;
      let looked = from;
      let last = from;
      for (const [group, wanted] of GROUPS.entries()) {
        if (group < (from?.group ?? 0)) continue;
        if (severity !== undefined && severity !== wanted.severity) continue;
        if (isAcknowledged !== undefined && isAcknowledged !== wanted.isAcknowledged) continue;
        const start = from?.group === group ? from : startOf(group, lastBefore);
        const rows = newest[wanted.severity].iterate({ ...sortedBy(start), since, limit: STEPS_MAX - steps });
        for await (const row of rows) {
          steps += 1;
          const at = (wanted.severity === 'critical' ? row.criticalAt : row.highAt) ?? 0;
          looked = { group, at, licenseId: row.licenseId, siteId: row.siteId, subject: row.subject };
          const open = openAlert(row, now);
          if (open?.severity !== wanted.severity) continue;
          if ((row.acknowledgedAt !== null) !== wanted.isAcknowledged) continue;
          if (licenseId !== undefined && licenseId !== row.licenseId) continue;
          if (licenses?.has(row.licenseId) === false) continue;
          if (subject !== undefined && !`${row.subject}_`.startsWith(`${subject}_`)) continue;
          const site = await domainOf.get(row.siteId);
          if (site === undefined || (domain !== undefined && domain !== site.domain)) continue;
          // One more than requested shows whether there are more.
          if (alerts.length === limit) return { alerts, next: last };
          alerts.push({ ...row, ...open, ...site });
          last = looked;
        }
        if (steps >= STEPS_MAX) return { alerts, next: looked };
      }
      return { alerts, next: undefined };
    },
  };
}

const startOf = (group: number, upTo = Number.MAX_SAFE_INTEGER - 1): AlertPosition => ({
  group,
  at: upTo + 1,
  licenseId: 0,
  siteId: 0,
  subject: '',
});

const sortedBy = ({ group: _, ...sorted }: AlertPosition) => sorted;
