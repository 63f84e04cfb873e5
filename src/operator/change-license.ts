import { isDeepStrictEqual } from 'node:util';
import type { Catalog, Plan } from '../domain/catalog.ts';
import { grantedTerms, type Terms } from '../domain/license.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { LicenseRecord } from '../storage/licenses.ts';
import type { Job } from '../storage/writer.ts';

/** What of a license an operator may change (operator.md, section 2). What is left out stays as it is. */
export interface WantedChange {
  readonly plan?: Plan | undefined;
  /** Null leaves it to the plan, as in the daily budgets. */
  readonly sites?: number | null | undefined;
  /** Milliseconds since the Unix epoch; null = never. */
  readonly expires?: number | null | undefined;
  readonly note?: string | null | undefined;
  /** Whether the license's own modules go before others are allowed or denied. */
  readonly clearModules?: boolean | undefined;
  readonly allowModules?: readonly string[];
  readonly denyModules?: readonly string[];
  readonly dailyEvents?: number | null | undefined;
  readonly dailyBytes?: number | null | undefined;
}

export interface Act {
  readonly actor: 'cli';
  readonly reason?: string | undefined;
  readonly now: number;
  /** Every module that there is. */
  readonly modules: ReadonlySet<string>;
}

/** Changed terms and facts of a license, by their names there. */
type Facts = Readonly<Record<string, unknown>>;

/** What an act would do: the facts that change, and the jobs that change them together with the audit entry. */
export interface PlannedChange {
  readonly before: Facts;
  readonly after: Facts;
  readonly jobs: readonly Job[];
}

/** Every module that a plan holds or that is sold by itself. */
export const modulesOf = (catalog: Catalog, priceList: PriceList): ReadonlySet<string> =>
  new Set([...Object.values(catalog), ...Object.values(priceList)].flatMap(({ modules }) => modules ?? []));

/** Plans a change of a license, or says in a sentence for the operator why it cannot be made. */
export function planLicenseChange(
  license: LicenseRecord,
  wanted: WantedChange,
  { actor, reason, now, modules }: Act,
): PlannedChange | { readonly refused: string } {
  if (license.revokedAt !== null) return { refused: 'the license is revoked, which is final' };
  if (license.pendingUntil !== null) return { refused: 'the license still waits for its card' };
  const unknown = [...(wanted.allowModules ?? []), ...(wanted.denyModules ?? [])].find(
    (module) => !modules.has(module),
  );
  if (unknown !== undefined) return { refused: `there is no module "${unknown}" in the catalogue` };
  if (wanted.expires != null && wanted.expires <= now) {
    return { refused: 'the end lies in the past: to stop a license, suspend or revoke it' };
  }

  const { id } = license;
  const granted = grantedTerms(license, now);
  const terms = changed(granted, termsWanted(granted, wanted));
  const facts = changed(license, factsWanted(license, wanted));
  const before = { ...terms.before, ...facts.before };
  const after = { ...terms.after, ...facts.after };
  const detail = { before, after, ...(reason === undefined ? {} : { reason }) };
  const jobs: Job[] = [
    ...(isEmpty(terms.after)
      ? []
      : [{ name: 'grantTerms', input: { id, terms: terms.after, now } } as const]),
    ...(isEmpty(facts.after) ? [] : [{ name: 'changeLicense', input: { id, change: facts.after } } as const]),
    { name: 'audit', input: { at: now, actor, action: 'license.change', licenseId: id, detail } },
  ];
  return { before, after, jobs: isEmpty(after) ? [] : jobs };
}

const isEmpty = (facts: Facts): boolean => Object.keys(facts).length === 0;

/** What of the wanted facts is not so already. */
function changed<Wanted extends object>(now: { readonly [Name in keyof Wanted]?: unknown }, wanted: Wanted) {
  const names = (Object.keys(wanted) as (keyof Wanted)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], now[name]),
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, now[name]])),
    after: Object.fromEntries(names.map((name) => [name, wanted[name]])) as Partial<Wanted>,
  };
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
  dailyEventsOverride: wanted.dailyEvents,
  dailyBytesOverride: wanted.dailyBytes,
  modulesDenied: union(
    wanted.clearModules ? [] : without(modulesDenied, wanted.allowModules),
    wanted.denyModules,
  ),
});
