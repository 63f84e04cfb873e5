import type { Plan } from '../domain/license/catalog.ts';
import type { CustomerNotes } from '../domain/license/customer.ts';
import { newLicenseKey } from '../domain/license/license-key.ts';
import { TRIAL_DAYS } from '../domain/license/trial.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from '../storage/engine/database.ts';
import type { NewLicense } from '../storage/licenses.ts';
import type { Act, PlannedAct, RefusedAct } from './act.ts';
import { sharedDomains } from './license-domains.ts';
import { refusalOfModules, refusalOfPastEnd, refusalOfTakenId } from './terms.ts';

/** A license as an operator wants it. What is left out, or null, is as its plan has it. */
export interface WantedLicense extends Partial<CustomerNotes> {
  readonly plan: Plan;
  readonly isTrial: boolean;
  /** For development: not bound to domains, counts for nothing in the feed. */
  readonly isTest: boolean;
  readonly sites?: number | undefined;
  readonly dailyEvents?: number | undefined;
  readonly dailyBytes?: number | undefined;
  /** Milliseconds since the Unix epoch; left out, a trial ends when trials do, and another license never. */
  readonly expires?: number | undefined;
  readonly allowModules: readonly string[];
  readonly denyModules: readonly string[];
  /** To be registered at once, normalised. */
  readonly domains: readonly string[];
  readonly note?: string | null;
}

/** Issues a license; the key is nowhere else. */
export async function issueLicense(
  db: Database,
  wanted: WantedLicense,
  offer: Offer,
  { now, ...issuedBy }: Act,
): Promise<(PlannedAct & { readonly key: string; readonly domains: readonly string[] }) | RefusedAct> {
  const { plan, sites, isTrial, externalId = null } = wanted;
  const wrong =
    refusalOfModules(offer, [...wanted.allowModules, ...wanted.denyModules]) ??
    refusalOfPastEnd(wanted.expires, now) ??
    (await refusalOfTakenId(db, externalId));
  if (wrong) return wrong;
  const domains = [...new Set(wanted.domains)];
  if (domains.length > (sites ?? offer.catalog[plan].sitesAllowed)) {
    return { refused: `${domains.length} domains are more than the license's sites: raise --sites` };
  }
  const environment = wanted.isTest ? 'test' : 'live';
  const { key, stored } = newLicenseKey(environment);
  const input: NewLicense = {
    ...stored,
    kind: isTrial ? 'trial' : 'paid',
    environment,
    plan,
    sitesOverride: sites ?? null,
    dailyEventsOverride: wanted.dailyEvents ?? null,
    dailyBytesOverride: wanted.dailyBytes ?? null,
    modulesAllowed: [...wanted.allowModules],
    modulesDenied: [...wanted.denyModules],
    note: wanted.note ?? null,
    customer: wanted.customer ?? null,
    email: wanted.email ?? null,
    externalId,
    expiresAt: wanted.expires ?? (isTrial ? now + TRIAL_DAYS * DAY_MS : null),
    domains,
    createdAt: now,
    issuedBy,
  };
  const notices = await sharedDomains(db, domains);
  return { jobs: [{ name: 'issueLicense', input }], notices, key, domains };
}
