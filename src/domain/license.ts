import type { Catalog, Plan } from './catalog.ts';
import type { LicenseEnvironment } from './license-key.ts';

export const HOLDS = ['payment', 'dispute', 'operator'] as const;
/** A reason to suspend; lifted only by what set it. */
export type Hold = (typeof HOLDS)[number];

export const LICENSE_STATES = ['active', 'trial', 'pending', 'suspended', 'expired', 'revoked'] as const;
export type LicenseState = (typeof LICENSE_STATES)[number];

/** What is known of a license. Its state is derived from these facts on each request. */
export interface License {
  readonly id: number;
  readonly kind: 'paid' | 'trial';
  readonly environment: LicenseEnvironment;
  readonly plan: Plan;
  /** Replaces the plan's number of sites; null keeps it. */
  readonly sitesOverride: number | null;
  /** Replace the plan's daily budget of telemetry; null keeps it, 0 = no limit. */
  readonly dailyEventsOverride: number | null;
  readonly dailyBytesOverride: number | null;
  readonly modulesAllowed: readonly string[];
  readonly modulesDenied: readonly string[];
  readonly holds: readonly Hold[];
  /** From when on a payment that is past due holds the license; null = never. */
  readonly paymentHoldFrom: number | null;
  /** Milliseconds since the Unix epoch; null = never. */
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly pendingUntil: number | null;
  /** Registered domains, normalised. */
  readonly domains: readonly string[];
}

/** What the state of a license follows from. */
export type StateFacts = Pick<
  License,
  'kind' | 'holds' | 'paymentHoldFrom' | 'expiresAt' | 'revokedAt' | 'pendingUntil'
>;

/** Precedence: revoked > suspended > expired > pending > trial > active (decisions.md, section 2). */
export function licenseState(license: StateFacts, nowMs: number): LicenseState {
  if (license.revokedAt !== null) return 'revoked';
  if (license.holds.length > 0) return 'suspended';
  if (license.paymentHoldFrom !== null && nowMs >= license.paymentHoldFrom) return 'suspended';
  if (license.expiresAt !== null && nowMs >= license.expiresAt) return 'expired';
  if (license.pendingUntil !== null) return 'pending';
  return license.kind === 'trial' ? 'trial' : 'active';
}

/** Holds with one set or lifted, in their usual order; the others stay. */
export const withHold = (holds: readonly Hold[], hold: Hold, held: boolean): Hold[] =>
  HOLDS.filter((each) => (each === hold ? held : holds.includes(each)));

/** What a license is worth at one moment. */
export interface Standing {
  readonly state: LicenseState;
  /** True for active and trial alone. */
  readonly valid: boolean;
  /** The plan whose rights hold now: `free` unless the license is valid. */
  readonly plan: Plan;
  readonly modules: readonly string[];
  readonly sitesAllowed: number;
  /** Milliseconds since the Unix epoch, while in trial. */
  readonly trialEndsAt: number | null;
}

/** Derives what a license is worth now. A license that is not valid keeps none of its own grants. */
export function licenseStanding(license: License, catalog: Catalog, nowMs: number): Standing {
  const state = licenseState(license, nowMs);
  const valid = state === 'active' || state === 'trial';
  const plan = valid ? license.plan : 'free';
  const granted = valid ? [...catalog[plan].modules, ...license.modulesAllowed] : catalog[plan].modules;
  return {
    state,
    valid,
    plan,
    modules: [...new Set(granted)].filter((module) => !license.modulesDenied.includes(module)),
    sitesAllowed: (valid ? license.sitesOverride : null) ?? catalog[plan].sitesAllowed,
    trialEndsAt: state === 'trial' ? license.expiresAt : null,
  };
}

/** The standing of one unchanging license at any moment, derived anew only when time has changed its state. */
export function rememberStanding(license: License, catalog: Catalog): (nowMs: number) => Standing {
  let known: Standing | undefined;
  return (nowMs) => {
    if (known?.state !== licenseState(license, nowMs)) known = licenseStanding(license, catalog, nowMs);
    return known;
  };
}

/** The name under which operators and logs know a license. */
export const licenseName = (id: number): string => `lic_${id}`;

/** Reads a license's name, with or without its prefix; undefined when it is none. */
export function parseLicenseName(text: string): number | undefined {
  const match = /^(?:lic_)?([1-9][0-9]{0,14})$/.exec(text);
  return match ? Number(match[1]) : undefined;
}
