import { licenseName } from '../../domain/license/license-name.ts';
import type { RefusalReason } from '../../domain/license/verification.ts';
import type { NotificationData } from '../../domain/notification/event.ts';
import { scanStatus } from '../../domain/scan/scan.ts';
import { SEVERITIES, type Severity } from '../../domain/severity.ts';
import { countEntries } from '../../domain/threat/feed.ts';
import { utcDay } from '../../lib/clock.ts';
import type { CredentialsRevocation } from '../credentials/credential-jobs.ts';
import type { Database } from '../engine/database.ts';
import type { React } from '../engine/jobs/reactions.ts';
import { prepare } from '../engine/statement.ts';
import type { NewRefusals } from '../licenses/refused-domains.ts';
import type { Scan } from '../scans/scans.ts';
import type { PublishedFeed } from '../threats/feed-snapshots.ts';
import type { TrustSite } from '../trust/trust-sites.ts';
import { prepareAppend } from './append.ts';
import { prepareNoted } from './noted-states.ts';

/** The site of a license's domain, in the form of events. */
function prepareSiteOf(db: Database) {
  const find = prepare<{ siteId: string }>(
    db,
    `
    select public_id as siteId from site_summaries join sites on sites.id = site_summaries.site_id
      where sites.license_id = :licenseId and domain = :domain
    `,
  );
  return async (licenseId: number, domain: string): Promise<NotificationData> => ({
    license: licenseName(licenseId),
    site_id: (await find.get({ licenseId, domain }))?.siteId ?? null,
    domain,
  });
}

export function recordScan(db: Database): React<{ readonly scan: Scan; readonly grade: string | null }> {
  const { append, isAnyWanted } = prepareAppend(db);
  const siteOf = prepareSiteOf(db);
  return async ({ scan, grade }) => {
    const { licenseId, domain, publicId, type, trigger, failure, finishedAt } = scan;
    const outcome = scanStatus(scan);
    if (finishedAt === null || outcome === 'canceled') return;
    if (!(await isAnyWanted(['scan.finished'], licenseId))) return;
    const findings = scan.findings ?? [];
    const worst = SEVERITIES.findLast((severity) => findings.some((each) => each.severity === severity));
    const data = {
      ...(await siteOf(licenseId, domain)),
      scan_id: publicId,
      scan_type: type,
      trigger,
      outcome,
      failure,
      findings: findings.length,
      worst: worst ?? null,
      grade,
    };
    await append([{ type: 'scan.finished', severity: worst ?? 'info', at: finishedAt, licenseId, data }]);
  };
}

export function recordTrust(db: Database): React<TrustSite & { readonly now: number }> {
  const { append, isAnyWanted } = prepareAppend(db);
  const siteOf = prepareSiteOf(db);
  return async ({ licenseId, domain, enabled, showGrade, now }) => {
    if (!(await isAnyWanted(['trust.changed'], licenseId))) return;
    const data = { ...(await siteOf(licenseId, domain)), enabled, show_grade: showGrade };
    await append([{ type: 'trust.changed', severity: 'info', at: now, licenseId, data }]);
  };
}

/** One event for all credentials revoked together. */
export function recordRevocation(
  db: Database,
): React<CredentialsRevocation & { readonly publicIds: readonly string[] }> {
  const { append } = prepareAppend(db);
  return async ({ licenseId, domain, reason, now, publicIds }) => {
    const [first = null, ...others] = publicIds;
    const data = {
      license: licenseName(licenseId),
      domain,
      reason,
      credentials: publicIds.length,
      credential_id: others.length === 0 ? first : null,
    };
    await append([{ type: 'credential.revoked', severity: 'low', at: now, licenseId, data }]);
  };
}

export function recordFeed(db: Database): React<PublishedFeed> {
  const { append, isAnyWanted } = prepareAppend(db);
  return async ({ snapshot, changes }) => {
    if (!(await isAnyWanted(['feed.changed', 'feed.withdrawn'], null))) return;
    const withdrawn = changes.filter(({ isWithdrawn }) => isWithdrawn).length;
    const added = changes.length - withdrawn;
    const common = { at: snapshot.generatedAt, licenseId: null };
    const data = { epoch: snapshot.epoch, entries: countEntries(snapshot) };
    if (added > 0)
      await append([{ ...common, type: 'feed.changed', severity: 'info', data: { ...data, added } }]);
    if (withdrawn > 0)
      await append([{ ...common, type: 'feed.withdrawn', severity: 'low', data: { ...data, withdrawn } }]);
  };
}

/** An operator has blocked it, or a customer has outgrown its plan. */
const SEVERITY_OF_REFUSALS: Partial<Record<RefusalReason, Severity>> = {
  site_limit_reached: 'medium',
  suspended: 'medium',
  expired: 'medium',
};

/** The first refusal of a domain on a UTC day. */
export function recordRefusals(db: Database): React<readonly NewRefusals[]> {
  const { append, isAnyWanted } = prepareAppend(db);
  const { note } = prepareNoted(db);
  return async (refusals) => {
    for (const [licenseId, ofLicense] of Map.groupBy(refusals, (each) => each.licenseId)) {
      if (!(await isAnyWanted(['license.refused'], licenseId))) continue;
      for (const { domain, reason, lastAt: at } of ofLicense) {
        if (!(await note('refused', `${licenseId} ${domain}`, utcDay(at), at))) continue;
        const severity = SEVERITY_OF_REFUSALS[reason] ?? 'low';
        const data = { license: licenseName(licenseId), domain, reason };
        await append([{ type: 'license.refused', severity, at, licenseId, data }]);
      }
    }
  };
}
