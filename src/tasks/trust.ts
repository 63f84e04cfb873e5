import { isDeepStrictEqual } from 'node:util';
import type { AssessmentPart, Grade } from '../domain/assessment/assessment.ts';
import { assessedParts } from '../domain/credential/basis.ts';
import { credentialStatus } from '../domain/credential/credential.ts';
import { controlState } from '../domain/domain-control/control.ts';
import { type Catalog, reachesPlan } from '../domain/license/catalog.ts';
import { type License, licenseStanding } from '../domain/license/license.ts';
import type { Refusal } from '../domain/refusal.ts';
import { unresolvedCriticalAt } from '../domain/site/alerts.ts';
import { shownMoment, type TrustStanding, type TrustState, trustStanding } from '../domain/trust/trust.ts';
import { type Clock, DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { FreshValues } from '../lib/fresh-values.ts';
import type { Config } from '../settings/config.ts';
import type { CredentialReads } from '../storage/credentials/credentials.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { AssessmentReads, KeptAssessment } from '../storage/scans/assessments.ts';
import type { AlertReads } from '../storage/sites/alerts.ts';
import type { DomainControlReads } from '../storage/sites/domain-controls.ts';
import type { SiteReads } from '../storage/sites/sites.ts';
import type { TrustSite, TrustSiteReads, WantedTrust } from '../storage/trust/trust-sites.ts';

/** The public data of a site. No value is shared by two sites, so that sites of one tenant cannot be linked. */
export interface PublicTrust {
  readonly trustId: string;
  /** In ASCII form. */
  readonly domain: string;
  readonly state: TrustState;
  /** Null = not current, or hidden by the tenant. */
  readonly grade: Grade | null;
  /** Milliseconds since the Unix epoch, like all moments; null = not current. */
  readonly assessedAt: number | null;
  readonly validUntil: number | null;
  /** The parts of the site that were assessed. */
  readonly assessed: readonly AssessmentPart[];
  /** The newest valid credential that cites the assessment, a JWT; null = there is none, or the grade is hidden. */
  readonly credential: string | null;
}

export type SiteTrust = TrustStanding<KeptAssessment>;

/** The public trust states of sites. */
export interface TrustDesk {
  /** The public address of the trust states; undefined = they are not published. */
  readonly address: string | undefined;
  /** The trust state of a site, for its tenant. */
  standing(license: License, domain: string): Promise<SiteTrust>;
  /** Stores the tenant's choice for a site. It takes effect immediately. */
  change(wanted: WantedTrust): Promise<TrustSite | Refusal>;
  /**
   * The public data of a trust ID, at most one second old. Returns the same object until something changes.
   *
   * @returns undefined if the trust ID is unknown or not published
   */
  published(trustId: string): PublicTrust | Promise<PublicTrust | undefined>;
}

export interface TrustDeskParts {
  readonly config: Pick<
    Config,
    'baseUrl' | 'trustEnabled' | 'trustMinGrade' | 'trustValidDays' | 'surfaceScans'
  >;
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Whether the clock was set back. */
  readonly isClockSetBack: () => boolean;
  readonly tenantData: {
    readonly sites: SiteReads;
    readonly alerts: AlertReads;
    readonly domainControls: DomainControlReads;
    readonly assessments: AssessmentReads;
    readonly credentials: CredentialReads;
    readonly trustSites: TrustSiteReads;
  };
  readonly writer: Pick<Writer, 'write'>;
  readonly findSiteOf: (trustId: string) => Promise<TrustSite | undefined>;
  readonly findLicense: (id: number) => Promise<License | undefined>;
}

/** A site is read at most once per interval, regardless of the number of requests. Alerts appear within a second. */
const FRESH_MS = SECOND_MS;
/** Each entry takes a few kilobytes, including its images and pages. */
const REMEMBERED_MAX = 2_000;

const NOT_SHOWN = { grade: null, assessedAt: null, validUntil: null, assessed: [], credential: null };

export function createTrustDesk(parts: TrustDeskParts): TrustDesk {
  const { config, catalog, clock, isClockSetBack, tenantData, writer, findSiteOf, findLicense } = parts;
  const policy = { minGrade: config.trustMinGrade, validDays: config.trustValidDays };
  const address = config.trustEnabled ? config.baseUrl : undefined;

  /** Whether a license may publish trust states. `held` = it may again later, because it is only suspended or pending. */
  const entitlementOf = (license: License): 'none' | 'held' | 'full' => {
    const { state, valid, plan } = licenseStanding(license, catalog, clock.now());
    if (state === 'revoked' || state === 'expired') return 'none';
    if (!valid) return 'held';
    return reachesPlan(plan, 'pro') ? 'full' : 'none';
  };

  const factsOf = async (license: License, domain: string, now: number) => {
    const { sites, alerts: alertReads, domainControls, assessments } = tenantData;
    const site = await sites.findByDomain(license.id, domain);
    const alerts = site ? await alertReads.ofSite(license.id, site.id) : [];
    return {
      isLicenseValid: entitlementOf(license) === 'full',
      isControlled: controlState(await domainControls.find(license.id, domain), now) === 'verified',
      surfaceScans: config.surfaceScans,
      isClockBehind: isClockSetBack(),
      criticalAt: unresolvedCriticalAt(alerts),
      assessments: await assessments.since(license.id, domain, now - policy.validDays * DAY_MS),
    };
  };

  const standing = async (license: License, domain: string): Promise<SiteTrust> => {
    const now = clock.now();
    return trustStanding(await factsOf(license, domain, now), policy, now);
  };

  /** The credential of an assessment. It contains the grade, so it is hidden with it. */
  const credentialOf = async (
    { licenseId, domain }: TrustSite,
    assessmentId: number,
  ): Promise<string | null> => {
    if (address === undefined) return null;
    const cited = {
      licenseId,
      type: 'site_posture',
      domain,
      basis: String(assessmentId),
      issuer: address,
    } as const;
    const found = await tenantData.credentials.same(cited);
    return found && credentialStatus(found, clock.now()) === 'valid' ? found.token : null;
  };

  const shownOf = async (site: TrustSite, license: License): Promise<PublicTrust> => {
    const found = await standing(license, site.domain);
    const { trustId, domain, showGrade } = site;
    if (found.state === 'not_current') return { trustId, domain, state: found.state, ...NOT_SHOWN };
    const { id, grade, parts } = found.assessment;
    return {
      trustId,
      domain,
      state: found.state,
      validUntil: found.validUntil,
      assessedAt: shownMoment(found.assessment),
      grade: showGrade ? grade : null,
      assessed: assessedParts(parts),
      credential: showGrade ? await credentialOf(site, id) : null,
    };
  };

  const lookUp = async (trustId: string, previous: PublicTrust | undefined) => {
    const site = address === undefined ? undefined : await findSiteOf(trustId);
    const license = site?.enabled ? await findLicense(site.licenseId) : undefined;
    if (site === undefined || license === undefined || entitlementOf(license) === 'none') return undefined;
    const shown = await shownOf(site, license);
    return isDeepStrictEqual(shown, previous) ? previous : shown;
  };
  const shown = new FreshValues(lookUp, {
    freshMs: FRESH_MS,
    max: REMEMBERED_MAX,
    monotonic: clock.monotonic,
  });

  return {
    address,
    standing,

    async change(wanted) {
      const { licenseId, domain, enabled } = wanted;
      const isEnd = !enabled && (await tenantData.trustSites.find(licenseId, domain))?.enabled === true;
      const site = isEnd
        ? await writer.write('switchTrustOff', { ...wanted, enabled: false })
        : await writer.write('setTrust', wanted);
      shown.clear();
      return site;
    },

    published: (trustId) => shown.get(trustId),
  };
}
