import { controlState } from '../domain/domain-control/control.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { type Catalog, reachesPlan } from '../domain/license/catalog.ts';
import { type License, licenseStanding } from '../domain/license/license.ts';
import type { IntegrationUse } from '../domain/site/integrations.ts';
import { judgeSurface } from '../domain/surface/surface.ts';
import { surfaceTarget } from '../domain/surface/target.ts';
import type { Clock } from '../lib/clock.ts';
import type { RecentUses } from '../lib/recent-uses.ts';
import type { SurveySite, SurveyWatch } from '../outside/site-survey.ts';
import type { Config } from '../settings/config.ts';
import type { Scan } from '../storage/scans.ts';
import { judgeSitePosture, type PostureReads } from '../storage/site-posture.ts';
import type { TenantData } from '../storage/tenant-data.ts';

/** What came of a scan. */
export type ScanOutcome = Pick<Scan, 'failure' | 'findings'>;

/** Runs one scan by what holds when it begins: it may have waited for long. */
export type RunScan = (scan: Scan, watch: SurveyWatch) => Promise<ScanOutcome>;

export interface ScanRunnerParts extends Pick<PostureReads, 'mirror'> {
  readonly clock: Clock;
  readonly identities: DerivedIdentities;
  readonly tenantData: TenantData;
  readonly findLicense: (id: number) => Promise<License | undefined>;
  readonly uses: RecentUses<IntegrationUse>;
  /** As they are set now. */
  readonly settings: () => { readonly config: Config; readonly catalog: Catalog };
  readonly surveySite: SurveySite;
}

const failed = (failure: NonNullable<Scan['failure']>): ScanOutcome => ({ failure, findings: null });

export function createScanRunner(parts: ScanRunnerParts): RunScan {
  const { clock, tenantData, findLicense, uses, settings, surveySite } = parts;

  const runSurface = async (scan: Scan, config: Config, watch: SurveyWatch): Promise<ScanOutcome> => {
    const { licenseId, domain, siteUrl } = scan;
    const target = surfaceTarget(siteUrl, config.scanAllowPrivate);
    if (!config.surfaceScans || target === undefined) return failed('disabled');
    const control = await tenantData.domainControls.find(licenseId, domain);
    if (controlState(control, clock.now()) !== 'verified') return failed('not_verified');
    const seen = await surveySite(target, watch);
    if (seen === 'cut_off') {
      uses.note('surface-scan-cut-off');
      return failed('unreachable');
    }
    uses.forget('surface-scan-cut-off');
    uses.note('surface-scan', licenseId);
    return { failure: null, findings: judgeSurface(seen) };
  };

  return async (scan, watch) => {
    const { config, catalog } = settings();
    const { licenseId, domain, type } = scan;
    const license = await findLicense(licenseId);
    const standing = license && licenseStanding(license, catalog, clock.now());
    if (!standing?.valid || !reachesPlan(standing.plan, 'starter')) return failed('disabled');
    if (type === 'surface') return runSurface(scan, config, watch);
    return {
      failure: null,
      findings: await judgeSitePosture({ ...parts, config }, licenseId, domain, clock.now()),
    };
  };
}
