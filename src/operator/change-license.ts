import type { Plan } from '../domain/license/catalog.ts';
import type { CustomerNotes } from '../domain/license/customer.ts';
import { grantedTerms, type Terms } from '../domain/license/license.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Offer } from '../domain/payment/price-list.ts';
import type { Database } from '../storage/engine/database.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import type { AuditedFacts } from '../storage/operators/audit.ts';
import {
  type Act,
  audited,
  changed,
  changeOf,
  isEmpty,
  type PlannedAct,
  type RefusedAct,
  refusalOfRevoked,
} from './act.ts';
import { renameInTargets } from './notifications/customer-in-targets.ts';
import { refusalOfEnd, refusalOfModules, refusalOfTakenId } from './terms.ts';

/** The changeable fields of a license. Omitted = unchanged; null removes a note. */
export interface WantedChange {
  readonly plan?: Plan | undefined;
  /** Null leaves it to the plan, as in the daily budgets. */
  readonly sites?: number | null | undefined;
  /** Milliseconds since the Unix epoch; null = never. */
  readonly expires?: number | null | undefined;
  readonly note?: string | null | undefined;
  readonly customer?: CustomerNotes['customer'] | undefined;
  readonly email?: CustomerNotes['email'] | undefined;
  readonly externalId?: CustomerNotes['externalId'] | undefined;
  /** Whether the license's own modules go before others are allowed or denied. */
  readonly clearModules?: boolean | undefined;
  readonly allowModules?: readonly string[];
  readonly denyModules?: readonly string[];
  readonly dailyEvents?: number | null | undefined;
  readonly dailyBytes?: number | null | undefined;
}

/** The facts that change, by their names in a license. */
export interface PlannedChange extends PlannedAct {
  readonly before: AuditedFacts;
  readonly after: AuditedFacts;
}

/** Changes the terms of a license and what is noted of it. */
export async function changeLicense(
  db: Database,
  license: LicenseRecord,
  wanted: WantedChange,
  offer: Offer,
  act: Act,
): Promise<PlannedChange | RefusedAct> {
  const { now } = act;
  const refusal = refusalOfRevoked(license);
  if (refusal) return refusal;
  if (license.pendingUntil !== null) return { refused: 'the license is still waiting for its card' };
  const named = [...(wanted.allowModules ?? []), ...(wanted.denyModules ?? [])];
  const wrong =
    refusalOfModules(offer, named) ??
    refusalOfEnd(wanted.expires, now) ??
    (await refusalOfTakenId(db, wanted.externalId, license.id));
  if (wrong) return wrong;

  const { id } = license;
  const granted = grantedTerms(license, now);
  const terms = changed(granted, termsWanted(granted, wanted));
  const facts = changed(license, factsWanted(license, wanted));
  const before = { ...terms.before, ...facts.before };
  const after = { ...terms.after, ...facts.after };
  if (isEmpty(after)) return { jobs: [], before, after };
  const { customer } = facts.after;
  const inTargets =
    customer === undefined ? { jobs: [], notices: [] } : await renameInTargets(db, license, customer, act);
  const jobs: Job[] = [
    ...inTargets.jobs,
    ...(isEmpty(terms.after)
      ? []
      : [{ name: 'grantTerms', input: { id, terms: terms.after, now } } as const]),
    ...(isEmpty(facts.after) ? [] : [changeOf(id, facts.after)]),
  ];
  const planned = audited(act, 'license.change', licenseName(id), jobs, { before, after });
  return { ...planned, notices: inTargets.notices, before, after };
}

const without = (names: readonly string[], gone: readonly string[] = []) =>
  names.filter((name) => !gone.includes(name));

const union = (names: readonly string[], more: readonly string[] = []) => [...new Set([...names, ...more])];

const termsWanted = (granted: Terms, wanted: WantedChange) => ({
  plan: wanted.plan,
  sitesOverride: wanted.sites,
  expiresAt: wanted.expires,
  modulesAllowed: union(
    wanted.clearModules ? [] : without(granted.modulesAllowed, wanted.denyModules),
    wanted.allowModules,
  ),
});

const factsWanted = ({ modulesDenied }: LicenseRecord, wanted: WantedChange) => ({
  note: wanted.note,
  customer: wanted.customer,
  email: wanted.email,
  externalId: wanted.externalId,
  dailyEventsOverride: wanted.dailyEvents,
  dailyBytesOverride: wanted.dailyBytes,
  modulesDenied: union(
    wanted.clearModules ? [] : without(modulesDenied, wanted.allowModules),
    wanted.denyModules,
  ),
});
