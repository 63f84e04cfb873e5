import type { Plan } from '../domain/license/catalog.ts';
import type { CustomerNotes } from '../domain/license/customer.ts';
import type { StoredKey } from '../domain/license/license-key.ts';
import { TRIAL_DAYS } from '../domain/license/trial.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Database } from '../storage/engine/database.ts';
import type { NewLicense } from '../storage/licenses/licenses.ts';
import type { Act, RefusedAct } from './act.ts';
import { refusalOfEnd, refusalOfModules, refusalOfTakenId } from './terms.ts';

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
  readonly expires?: number | null | undefined;
  readonly allowModules: readonly string[];
  readonly denyModules: readonly string[];
  /** To be registered at once, normalised. */
  readonly domains: readonly string[];
  readonly note?: string | null;
}

/** Why a license cannot be issued as it is wanted. */
export async function refusalOfWanted(
  db: Database,
  wanted: WantedLicense,
  offer: Offer,
  now: number,
): Promise<RefusedAct | undefined> {
  const { plan, sites, domains } = wanted;
  const wrong =
    refusalOfModules(offer, [...wanted.allowModules, ...wanted.denyModules]) ??
    refusalOfEnd(wanted.expires, now) ??
    (await refusalOfTakenId(db, wanted.externalId));
  if (wrong) return wrong;
  const { size } = new Set(domains);
  return size > (sites ?? offer.catalog[plan].sitesAllowed)
    ? { refused: `${size} domains are more than the license's sites. Raise --sites` }
    : undefined;
}

/** A license as it is stored when it is issued, but for its key. */
export const licenseOf = (
  wanted: WantedLicense,
  { now, ...issuedBy }: Act,
): Omit<NewLicense, keyof StoredKey> => ({
  kind: wanted.isTrial ? 'trial' : 'paid',
  environment: wanted.isTest ? 'test' : 'live',
  plan: wanted.plan,
  sitesOverride: wanted.sites ?? null,
  dailyEventsOverride: wanted.dailyEvents ?? null,
  dailyBytesOverride: wanted.dailyBytes ?? null,
  modulesAllowed: [...wanted.allowModules],
  modulesDenied: [...wanted.denyModules],
  note: wanted.note ?? null,
  customer: wanted.customer ?? null,
  email: wanted.email ?? null,
  externalId: wanted.externalId ?? null,
  expiresAt: wanted.expires ?? (wanted.isTrial ? now + TRIAL_DAYS * DAY_MS : null),
  domains: [...new Set(wanted.domains)],
  createdAt: now,
  issuedBy,
});
