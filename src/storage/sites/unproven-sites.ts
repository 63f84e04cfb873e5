import { isProvable } from '../../domain/domain-control/challenge.ts';
import { controlState, type DomainControl } from '../../domain/domain-control/control.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** A site whose license has not proven that it controls the domain. */
export interface UnprovenSite {
  readonly siteId: string;
  readonly domain: string;
}

interface Row extends UnprovenSite, Omit<DomainControl, 'method' | 'checkedAt'> {
  readonly method: DomainControl['method'] | null;
  readonly checkedAt: number | null;
}

/** Reads the sites of a license whose registered domain could be proven and is not, in the order of their first report. */
export function readUnprovenSites(
  db: Database,
): (licenseId: number, allowPrivate: boolean, now: number) => Promise<UnprovenSite[]> {
  const registered = prepare<Row>(
    db,
    `
    select site_summaries.public_id as siteId, sites.domain, method, verified_at as verifiedAt, checked_at as checkedAt,
        failed_since as failedSince, problem
      from sites join site_summaries on site_summaries.license_id = sites.license_id and site_summaries.site_id = sites.id
      join license_domains on license_domains.license_id = sites.license_id and license_domains.domain = sites.domain
      left join domain_controls on domain_controls.license_id = sites.license_id and domain_controls.domain = sites.domain
      where sites.license_id = ? order by sites.id
    `,
  );
  return async (licenseId, allowPrivate, now) => {
    const unproven = (await registered.all(licenseId)).filter(({ domain, method, checkedAt, ...rest }) => {
      const control = method === null || checkedAt === null ? undefined : { ...rest, method, checkedAt };
      return controlState(control, now) !== 'verified' && isProvable(domain, allowPrivate);
    });
    return unproven.map(({ siteId, domain }) => ({ siteId, domain }));
  };
}
