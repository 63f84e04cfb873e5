import type { SeenSurface } from '../domain/assessment/assessment.ts';
import { controlState } from '../domain/domain-control/control.ts';
import { bySeverity, type Finding } from '../domain/finding.ts';
import type { DerivedIdentities } from '../domain/identity.ts';
import { type Catalog, reachesPlan } from '../domain/license/catalog.ts';
import { type License, licenseStanding } from '../domain/license/license.ts';
import type { ScanFailure } from '../domain/scan/scan.ts';
import type { IntegrationUse } from '../domain/site/integrations.ts';
import { judgeSurface } from '../domain/surface/surface.ts';
import { surfaceTarget } from '../domain/surface/target.ts';
import type { Clock } from '../lib/clock.ts';
import type { RecentUses } from '../lib/recent-uses.ts';
import type { SurveySite, SurveyWatch } from '../outside/site-survey.ts';
import type { Config } from '../settings/config.ts';
import type { CitedAssessment } from '../storage/scans/assessment-jobs.ts';
import type { AssessmentReads } from '../storage/scans/assessments.ts';
import type { Scan, ScanReads } from '../storage/scans/scans.ts';
import { judgeSitePosture, type PostureReads } from '../storage/scans/site-posture.ts';
import type { DomainControlReads } from '../storage/sites/domain-controls.ts';
import { assessSite } from './site-assessment.ts';

/** The result of a scan. */
export interface ScanOutcome extends Pick<Scan, 'failure' | 'findings'> {
  /** Null for other types of scans, and if there is no data about the site. */
  readonly assessment: CitedAssessment | null;
}

/** Runs a scan, with the settings and the license at its start; it may have been queued for long. */
export type RunScan = (scan: Scan, watch: SurveyWatch) => Promise<ScanOutcome>;

export interface ScanRunnerParts extends Pick<PostureReads, 'mirror'> {
  readonly clock: Clock;
  readonly identities: DerivedIdentities;
  readonly tenantData: PostureReads['tenantData'] & {
    readonly domainControls: DomainControlReads;
    readonly scans: ScanReads;
    readonly assessments: AssessmentReads;
  };
  readonly findLicense: (id: number) => Promise<License | undefined>;
  readonly uses: RecentUses<IntegrationUse>;
  /** Reads the current settings. */
  readonly settings: () => { readonly config: Config; readonly catalog: Catalog };
  readonly surveySite: SurveySite;
}

export const failedScan = (failure: ScanFailure): ScanOutcome => ({
  failure,
  findings: null,
  assessment: null,
});
const found = (findings: readonly Finding[], assessment: CitedAssessment | null = null): ScanOutcome => ({
  failure: null,
  findings,
  assessment,
});
/** A surface scan's facts with its findings. */
interface SurfaceResult extends SeenSurface {
  readonly findings: readonly Finding[];
}

const isFailure = (seen: SurfaceResult | ScanFailure | undefined): seen is ScanFailure =>
  typeof seen === 'string';

export function createScanRunner(parts: ScanRunnerParts): RunScan {
  const { clock, tenantData, findLicense, uses, settings, surveySite } = parts;

  /** Scans a site from outside. */
  const scanSurface = async (
    scan: Scan,
    config: Config,
    watch: SurveyWatch,
  ): Promise<SurfaceResult | ScanFailure> => {
    const { licenseId, siteUrl } = scan;
    const target = surfaceTarget(siteUrl, config.scanAllowPrivate);
    if (!config.surfaceScans || target === undefined) return 'disabled';
    const seen = await surveySite(target, watch);
    if (seen === 'cut_off') {
      uses.note('surface-scan-cut-off');
      return 'unreachable';
    }
    uses.forget('surface-scan-cut-off');
    uses.note('surface-scan', licenseId);
    return { findings: judgeSurface(seen), at: clock.now() };
  };

  /** The newest result, used if surface scans are disabled. */
  const lastSurface = async ({ licenseId, domain }: Scan): Promise<SurfaceResult | undefined> => {
    const [last] = await tenantData.scans.page({
      licenseId,
      domain,
      status: 'done',
      type: 'surface',
      since: Number.MIN_SAFE_INTEGER,
      beforeId: Number.MAX_SAFE_INTEGER,
      limit: 1,
    });
    return last?.finishedAt && last.findings ? { findings: last.findings, at: last.finishedAt } : undefined;
  };

  const runAssessment = async (scan: Scan, config: Config, watch: SurveyWatch): Promise<ScanOutcome> => {
    const surface = config.surfaceScans ? await scanSurface(scan, config, watch) : await lastSurface(scan);
    if (isFailure(surface)) return failedScan(surface);
    const now = clock.now();
    const posture = await judgeSitePosture({ ...parts, config }, scan.licenseId, scan.domain, now);
    const last = await tenantData.assessments.newest(scan.licenseId, scan.domain);
    const assessment = assessSite(posture, surface, last, config.mirrorStaleHours, now);
    if (assessment === undefined) return failedScan('disabled');
    return found(bySeverity([...posture.findings, ...(surface?.findings ?? [])]), assessment);
  };

  return async (scan, watch) => {
    const { config, catalog } = settings();
    const { licenseId, domain, type } = scan;
    const license = await findLicense(licenseId);
    const standing = license && licenseStanding(license, catalog, clock.now());
    if (!standing?.valid || !reachesPlan(standing.plan, 'starter')) return failedScan('disabled');
    if (type === 'posture')
      return found((await judgeSitePosture({ ...parts, config }, licenseId, domain, clock.now())).findings);
    const control = await tenantData.domainControls.find(licenseId, domain);
    if (controlState(control, clock.now()) !== 'verified') return failedScan('not_verified');
    if (type === 'assessment') return runAssessment(scan, config, watch);
    const seen = await scanSurface(scan, config, watch);
    return isFailure(seen) ? failedScan(seen) : found(seen.findings);
  };
}
