import type { Catalog } from '../domain/license/catalog.ts';
import { type BudgetSettings, type DailyBudget, dailyBudget } from '../domain/license/daily-budget.ts';
import {
  grantedTerms,
  type License,
  licenseStanding,
  runs,
  type Standing,
  type Terms,
} from '../domain/license/license.ts';
import { hashLicenseKey, isWellFormedKey } from '../domain/license/license-key.ts';
import { licenseName } from '../domain/license/license-name.ts';
import {
  admissionOf,
  bindingOf,
  type DomainBinding,
  type Verification,
  verificationOf,
} from '../domain/license/verification.ts';
import { detailsOf, type HoldCause, type HoldDetail } from '../domain/payment/hold-cause.ts';
import { iso } from '../lib/clock.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import type { Config } from '../settings/config.ts';
import type { Database } from '../storage/engine/database.ts';
import { readRoutesUsed } from '../storage/licenses/daily-usage.ts';
import { type DailyVolume, readDailyVolumes } from '../storage/licenses/daily-volumes.ts';
import { type NotedRefusal, readLicenseActivity } from '../storage/licenses/license-activity.ts';
import { type KeyedLicense, type LicenseRecord, readLicenses } from '../storage/licenses/licenses.ts';
import { type PreviousKey, readPreviousKeys } from '../storage/licenses/previous-keys.ts';
import { type RefusedDomain, readRefusedDomains } from '../storage/licenses/refused-domains.ts';
import { readHoldCauses } from '../storage/payments/subscriptions.ts';
import { SCANS } from '../storage/scans/scan-jobs.ts';
import { readLastSeen } from '../storage/sites/sites.ts';
import type { RefusedAct } from './act.ts';
import { sitesAllowed } from './license-domains.ts';
import { TENANT_ROUTE, tenantCap } from './notifications/tenant-cap.ts';

export interface ExplainParts {
  readonly db: Database;
  readonly catalog: Catalog;
  /** Those of the server. */
  readonly settings: BudgetSettings & Pick<Config, 'stagingDomains' | 'dailyCap' | 'scanDailyCap'>;
  /** Milliseconds since the Unix epoch, as every moment here. */
  readonly now: number;
}

/** The current answer of license/verify, and its reasons: only for operators. */
export interface Explanation {
  readonly license: LicenseRecord;
  readonly standing: Standing;
  readonly verification: Verification;
  /** The facts that make it so, in sentences. */
  readonly why: readonly string[];
  /** Why the payment processor suspends it, without reasons that an operator has lifted. */
  readonly holdDetails: readonly HoldDetail[];
  readonly sites: { readonly used: number; readonly allowed: number };
  /** Null when no domain was asked for. */
  readonly domain: DomainBinding | null;
  /** Null unless it still works. */
  readonly previousKey: PreviousKey | null;
  readonly budget: DailyBudget;
  /** Of the budget, today (UTC). */
  readonly stored: DailyVolume;
  /** Daily volumes of routes that were used today (UTC). */
  readonly routes: readonly { readonly route: string; readonly used: number; readonly allowed: number }[];
  /** As far as it is written down, with the reason when it was not valid; null = never. */
  readonly lastVerify: { readonly at: number; readonly reason: string | null } | null;
  /** When a site was last seen; null = never. */
  readonly lastHeartbeatAt: number | null;
  /** The newest first. */
  readonly refusals: readonly NotedRefusal[];
  /** Those that license/verify refused last first. */
  readonly refusedDomains: readonly RefusedDomain[];
  readonly readAt: number;
  /** When the service last wrote down what it answered; null = never. */
  readonly notedAt: number | null;
}

/** The license of a key, also of an old one that has stopped; a refusal repeats nothing of the key. */
export async function licenseOfKey(db: Database, sent: string): Promise<KeyedLicense | RefusedAct> {
  const key = trimInvisible(sent);
  const found = await readLicenses(db).findByKeyHash(hashLicenseKey(key));
  if (found) return found;
  const isMistyped = key.startsWith('rdt_') && !isWellFormedKey(key);
  const why = isMistyped ? 'it is mistyped or cut off' : 'license checks report it as not valid';
  return { refused: `no license has this key (unknown_key): ${why}` };
}

/**
 * Explains a license by the rules of license/verify, and returns its stored history.
 *
 * @param license one that was found by a key is explained by that key
 * @param given the domain to explain, as a site would send it
 */
export async function explainLicense(
  { db, catalog, settings, now }: ExplainParts,
  license: LicenseRecord | KeyedLicense,
  given?: string,
): Promise<Explanation> {
  // As in a body, where an empty domain counts as absent.
  const asked = given && trimInvisible(given) !== '' ? given : undefined;
  const { id } = license;
  const standing = licenseStanding(license, catalog, now);
  const keyWorksUntil = 'keyWorksUntil' in license ? license.keyWorksUntil : null;
  const hasStopped = keyWorksUntil !== null && keyWorksUntil <= now;
  const worth = verificationOf(hasStopped ? undefined : standing);
  const sites = { used: license.domains.length, allowed: sitesAllowed(license, catalog, now) };
  const domain =
    asked === undefined ? null : bindingOf(license, sites.allowed, asked, settings.stagingDomains);
  const activity = await readLicenseActivity(db, id);
  const causes = await readHoldCauses(db)(id);
  const { verifiedAt = null, verifiedReason = null } = activity ?? {};
  return {
    license,
    standing,
    verification: worth === 'valid' && domain ? admissionOf(domain.binding) : worth,
    why: [
      ...(keyWorksUntil === null
        ? []
        : [
            `this is a previous key, which ${hasStopped ? 'stopped at' : 'works until'} ${iso(keyWorksUntil)}`,
          ]),
      ...stateFacts(license, standing),
      ...grantFacts(license, now),
      ...holdFacts(license, causes, now),
      ...(domain ? [domainFact(license, domain, sites, worth === 'valid')] : []),
    ],
    holdDetails: detailsOf(causes),
    sites,
    domain,
    previousKey: (await readPreviousKeys(db)(id, now)) ?? null,
    budget: dailyBudget(license, standing, settings),
    stored: await readDailyVolumes(db).ofLicense(id, now),
    routes: (await readRoutesUsed(db, id, now)).map((use) => ({
      ...use,
      allowed: capOf(use.route, settings),
    })),
    lastVerify: verifiedAt === null ? null : { at: verifiedAt, reason: verifiedReason },
    lastHeartbeatAt: await readLastSeen(db, id),
    refusals: activity?.refusals ?? [],
    refusedDomains: await readRefusedDomains(db, id),
    readAt: now,
    notedAt: activity?.notedAt ?? null,
  };
}

function capOf(route: string, settings: ExplainParts['settings']): number {
  if (route === TENANT_ROUTE) return tenantCap(settings);
  return route === SCANS ? settings.scanDailyCap : settings.dailyCap;
}

function stateFacts(license: License, { state, expiresAt }: Standing): string[] {
  const end = expiresAt === null ? 'it never expires' : `it expires at ${iso(expiresAt)}`;
  switch (state) {
    case 'revoked':
      return [`it was revoked at ${iso(license.revokedAt ?? 0)}, which is permanent`];
    case 'suspended':
      return ['it is suspended'];
    case 'expired':
      return [`it expired at ${iso(expiresAt ?? 0)}`];
    case 'pending':
      return [
        `it is waiting for its card until ${iso(license.pendingUntil ?? 0)}; ` +
          'a license check asks the payment processor again',
      ];
    case 'trial':
      return [`it is a trial, and ${end}`];
    case 'active':
      return [`it is active, and ${end}`];
  }
}

/** Of two terms in force, the plan may change long before the last of them ends. */
function grantFacts(license: License, now: number): string[] {
  const { granted } = license;
  if (granted === null || !runs(granted, now) || !runs(license, now)) return [];
  const until = ({ plan, expiresAt }: Terms) =>
    `plan ${plan} ${expiresAt === null ? 'without expiry' : `until ${iso(expiresAt)}`}`;
  return [
    `the operator granted the ${until(granted)}, in addition to its own ${until(license)}; the better one applies`,
  ];
}

function holdFacts(license: License, causes: readonly HoldCause[], now: number): string[] {
  const { id, holds, paymentHolds, paymentHoldFrom, granted } = license;
  const isPastDue = paymentHoldFrom !== null && paymentHoldFrom <= now;
  const facts = [
    ...holds.map(
      (hold) =>
        `suspended by an operator, reason "${hold}". Lift it with redoubt license resume ${licenseName(id)} --hold ${hold}`,
    ),
    ...paymentHolds.map((hold) => {
      const details = detailsOf(causes.filter((cause) => cause.hold === hold)).map(
        (detail) => ` (${detail})`,
      );
      return `suspended by the payment processor, reason "${hold}"${details.join('')}. Lift it with redoubt license resume ${licenseName(id)} --hold ${hold}`;
    }),
    ...(isPastDue ? [`suspended since ${iso(paymentHoldFrom)}, because a payment is past due`] : []),
    ...(paymentHoldFrom !== null && !isPastDue
      ? [`will be suspended at ${iso(paymentHoldFrom)}, because a payment is past due`]
      : []),
  ];
  const isSpared = (paymentHolds.length > 0 || isPastDue) && granted !== null && runs(granted, now);
  return isSpared
    ? [...facts, `the operator's grant does not depend on payments: plan ${grantedTerms(license, now).plan}`]
    : facts;
}

function domainFact(
  { id }: License,
  { binding, domain }: DomainBinding,
  { allowed }: Explanation['sites'],
  isLookedAt: boolean,
): string {
  const facts: Record<DomainBinding['binding'], string> = {
    registered: `${domain} is registered`,
    test_license: 'a test license is not bound to domains',
    development_host: `${domain} is a development host, which uses no site`,
    free_site: `${domain} is not registered; a site is available, and its first use registers it`,
    malformed_domain: 'the domain is malformed',
    blocked_domain: `${domain} is blocked. Allow it with redoubt license unblock ${licenseName(id)} --domain ${domain}`,
    site_limit_reached: `${domain} is not registered, and all ${allowed} sites are in use`,
  };
  return isLookedAt ? facts[binding] : `if the license were valid: ${facts[binding]}`;
}
