import type { Catalog, Plan } from '../domain/catalog.ts';
import type { PriceList } from '../domain/price-list.ts';
import type { LicenseChange, LicenseRecord } from '../storage/licenses.ts';
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

/** The changed facts of a license, by their names there. */
type Facts = Readonly<Partial<Record<keyof LicenseChange, unknown>>>;

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
  const unknown = [...(wanted.allowModules ?? []), ...(wanted.denyModules ?? [])].find(
    (module) => !modules.has(module),
  );
  if (unknown !== undefined) return { refused: `there is no module "${unknown}" in the catalogue` };
  if (wanted.expires != null && wanted.expires <= now) {
    return { refused: 'the end lies in the past: to stop a license, suspend or revoke it' };
  }

  const next = changeOf(license, wanted);
  const changed = (Object.keys(next) as (keyof LicenseChange & keyof LicenseRecord)[]).filter(
    (name) => JSON.stringify(next[name]) !== JSON.stringify(license[name]),
  );
  const before = Object.fromEntries(changed.map((name) => [name, license[name]]));
  const after = Object.fromEntries(changed.map((name) => [name, next[name]]));
  if (changed.length === 0) return { before, after, jobs: [] };
  const detail = { before, after, ...(reason === undefined ? {} : { reason }) };
  return {
    before,
    after,
    jobs: [
      { name: 'changeLicense', input: { id: license.id, change: after } },
      { name: 'audit', input: { at: now, actor, action: 'license.change', licenseId: license.id, detail } },
    ],
  };
}

function changeOf(license: LicenseRecord, wanted: WantedChange): LicenseChange {
  const { plan, sites, expires, note, clearModules, dailyEvents, dailyBytes } = wanted;
  const { allowModules = [], denyModules = [] } = wanted;
  const own = clearModules ? { allowed: [], denied: [] } : ownModules(license);
  const without = (names: readonly string[], gone: readonly string[]) =>
    names.filter((name) => !gone.includes(name));
  return {
    ...(plan === undefined ? {} : { plan }),
    ...(sites === undefined ? {} : { sitesOverride: sites }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
    ...(note === undefined ? {} : { note }),
    ...(dailyEvents === undefined ? {} : { dailyEventsOverride: dailyEvents }),
    ...(dailyBytes === undefined ? {} : { dailyBytesOverride: dailyBytes }),
    modulesAllowed: [...new Set([...without(own.allowed, denyModules), ...allowModules])],
    modulesDenied: [...new Set([...without(own.denied, allowModules), ...denyModules])],
  };
}

const ownModules = ({ modulesAllowed, modulesDenied }: LicenseRecord) => ({
  allowed: modulesAllowed,
  denied: modulesDenied,
});
