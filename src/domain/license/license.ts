import { type Refusal, refuse } from '../refusal.ts';
import { type Catalog, PLANS, type Plan } from './catalog.ts';
import type { LicenseEnvironment } from './license-key.ts';

export const HOLDS = ['payment', 'dispute', 'operator'] as const;
/** A reason to suspend; lifted only by what set it. */
export type Hold = (typeof HOLDS)[number];

export const LICENSE_STATES = ['active', 'trial', 'pending', 'suspended', 'expired', 'revoked'] as const;
export type LicenseState = (typeof LICENSE_STATES)[number];

/** The terms of a license, and their end. */
export interface Terms {
  readonly kind: 'paid' | 'trial';
  readonly plan: Plan;
  /** Replaces the plan's number of sites; null keeps it. */
  readonly sitesOverride: number | null;
  readonly modulesAllowed: readonly string[];
  /** Milliseconds since the Unix epoch; null = never. */
  readonly expiresAt: number | null;
}

/**
 * The stored facts of a license. Its state is derived from these on each request. Its own terms are those of its operator or a
 * trial, or, once it is paid for, those of its subscription.
 */
export interface License extends Terms {
  readonly id: number;
  readonly environment: LicenseEnvironment;
  /** Granted by the operator in addition to its own terms; no payment and no end of one removes it. */
  readonly granted: Terms | null;
  /** Replace the plan's daily budget of telemetry; null keeps it, 0 = no limit. */
  readonly dailyEventsOverride: number | null;
  readonly dailyBytesOverride: number | null;
  readonly modulesDenied: readonly string[];
  /** Set by the operator. */
  readonly holds: readonly Hold[];
  /** Set by events of the payment processor; they do not affect what the operator granted. */
  readonly paymentHolds: readonly Hold[];
  /** When an overdue payment suspends the license in the same way; null = never. */
  readonly paymentHoldFrom: number | null;
  readonly revokedAt: number | null;
  readonly pendingUntil: number | null;
  /** Registered domains, normalised. */
  readonly domains: readonly string[];
  /** Domains blocked by the operator, normalized; none of them is registered. */
  readonly blockedDomains: readonly string[];
}

/** What a license's state is derived from. */
export type LicenseFacts = Omit<License, 'id' | 'domains' | 'blockedDomains'>;

/** Whether terms have not ended at a moment. */
export const runs = ({ expiresAt }: Terms, nowMs: number): boolean => expiresAt === null || nowMs < expiresAt;

/** How many sites some terms have. */
export const sitesOf = (
  { plan, sitesOverride }: Pick<Terms, 'plan' | 'sitesOverride'>,
  catalog: Catalog,
): number => sitesOverride ?? catalog[plan].sitesAllowed;

const isPaymentHeld = ({ paymentHolds, paymentHoldFrom }: LicenseFacts, nowMs: number): boolean =>
  paymentHolds.length > 0 || (paymentHoldFrom !== null && nowMs >= paymentHoldFrom);

/** The terms in force: none, the license's own, the operator's, or both. */
function termsInForce(license: LicenseFacts, nowMs: number): Terms[] {
  const { granted } = license;
  const own = isPaymentHeld(license, nowMs) ? [] : [license];
  return [...own, ...(granted ? [granted] : [])].filter((terms) => runs(terms, nowMs));
}

/** Whether a license was paid for, or issued by the operator. Anyone can get trials and test licenses for nothing. */
export const isPaidLive = ({
  kind,
  granted,
  environment,
}: Pick<License, 'kind' | 'granted' | 'environment'>): boolean =>
  environment === 'live' && (kind === 'paid' || granted?.kind === 'paid');

/** Who bound a domain to a license: the operator, the order that it came from, or its first use. */
export type BoundBy = 'operator' | 'order' | 'first_use';

/** For a domain blocked by the operator. */
export const domainBlocked = (): Refusal =>
  refuse('DOMAIN_MISMATCH', 'The operator has blocked this domain for this license.');

/** Precedence: revoked > suspended > expired > pending > trial > active. */
export function licenseState(license: LicenseFacts, nowMs: number): LicenseState {
  if (license.revokedAt !== null) return 'revoked';
  if (license.holds.length > 0) return 'suspended';
  const inForce = termsInForce(license, nowMs);
  if (inForce.length === 0) return isPaymentHeld(license, nowMs) ? 'suspended' : 'expired';
  if (license.pendingUntil !== null) return 'pending';
  return inForce.every(({ kind }) => kind === 'trial') ? 'trial' : 'active';
}

/** The own terms of a license, by themselves. */
export const termsOf = ({ kind, plan, sitesOverride, modulesAllowed, expiresAt }: Terms): Terms => ({
  kind,
  plan,
  sitesOverride,
  modulesAllowed,
  expiresAt,
});

/** The operator's grant, if it has not ended, else the own terms: the terms that a change of the operator applies to. */
export function grantedTerms(license: LicenseFacts, nowMs: number): Terms {
  const { granted } = license;
  return termsOf(granted && runs(granted, nowMs) ? granted : license);
}

/** Holds with one set or lifted, in their usual order; the others stay. */
export const withHold = (holds: readonly Hold[], hold: Hold, held: boolean): Hold[] =>
  HOLDS.filter((each) => (each === hold ? held : holds.includes(each)));

/** The rights of a license at one moment. */
export interface Standing {
  readonly state: LicenseState;
  /** True only for active and trial. */
  readonly valid: boolean;
  /** The plan whose rights hold now: `free` unless the license is valid. */
  readonly plan: Plan;
  readonly modules: readonly string[];
  readonly sitesAllowed: number;
  /** The latest end of the terms in force, or when they ended. Milliseconds since the Unix epoch; null = never. */
  readonly expiresAt: number | null;
  /** The same, while in trial. */
  readonly trialEndsAt: number | null;
}

const FREE: Terms = { kind: 'paid', plan: 'free', sitesOverride: null, modulesAllowed: [], expiresAt: null };

const isValid = (state: LicenseState): boolean => state === 'active' || state === 'trial';

const bestPlan = (worth: readonly Terms[]): Plan =>
  PLANS.findLast((plan) => worth.some((terms) => terms.plan === plan)) ?? 'free';

/** The plan whose rights a license has at a moment. */
export const planInForce = (license: LicenseFacts, nowMs: number): Plan =>
  isValid(licenseState(license, nowMs)) ? bestPlan(termsInForce(license, nowMs)) : 'free';

/** Derives the rights of a license now: the best of all terms in force. An invalid license has none of its own grants. */
export function licenseStanding(license: LicenseFacts, catalog: Catalog, nowMs: number): Standing {
  const state = licenseState(license, nowMs);
  const valid = isValid(state);
  const inForce = termsInForce(license, nowMs);
  const worth = valid ? inForce : [FREE];
  const modules = worth.flatMap(({ plan, modulesAllowed }) => [...catalog[plan].modules, ...modulesAllowed]);
  const expiresAt = lastEnd(inForce.length > 0 ? inForce : [license, license.granted ?? license]);
  return {
    state,
    valid,
    plan: bestPlan(worth),
    modules: [...new Set(modules)].filter((module) => !license.modulesDenied.includes(module)),
    sitesAllowed: Math.max(...worth.map((terms) => sitesOf(terms, catalog))),
    expiresAt,
    trialEndsAt: state === 'trial' ? expiresAt : null,
  };
}

function lastEnd(all: readonly Terms[]): number | null {
  const ends = all.map(({ expiresAt }) => expiresAt ?? Infinity);
  const last = Math.max(...ends);
  return last === Infinity ? null : last;
}

/** The standing of one unchanging license at any moment, computed again only when time changes it. */
export function rememberStanding(license: LicenseFacts, catalog: Catalog): (nowMs: number) => Standing {
  const changes = [license.expiresAt, license.granted?.expiresAt ?? null, license.paymentHoldFrom]
    .map((at) => at ?? Infinity)
    .sort((a, b) => a - b);
  let known: { readonly standing: Standing; readonly from: number; readonly until: number } | undefined;
  return (nowMs) => {
    if (known === undefined || nowMs < known.from || nowMs >= known.until) {
      known = {
        standing: licenseStanding(license, catalog, nowMs),
        from: changes.findLast((at) => at <= nowMs) ?? -Infinity,
        until: changes.find((at) => at > nowMs) ?? Infinity,
      };
    }
    return known.standing;
  };
}
