import type { Catalog } from '../domain/license/catalog.ts';
import { type License, rememberStanding } from '../domain/license/license.ts';
import { hashLicenseKey, mayBeKey } from '../domain/license/license-key.ts';
import { bearerKey, type FindLicense, type FoundLicense } from '../http/caller.ts';
import { GenerationMap } from '../lib/generation-cache.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { whenReady } from '../lib/when-ready.ts';
import type { KeyedLicense } from '../storage/licenses/licenses.ts';

const LICENSES_REMEMBERED_MAX = 10_000;

export interface LicenseLookup {
  readonly findByKeyHash: (
    keyHash: string,
  ) => Promise<(License & Pick<KeyedLicense, 'keyWorksUntil'>) | undefined>;
  /** Changes whenever any license changes. */
  readonly generation: () => number;
  readonly catalog: Catalog;
  readonly now: () => number;
}

/** Finds licenses by key, and caches them until any license changes. */
export function createLicenseLookup({ findByKeyHash, generation, catalog, now }: LicenseLookup): FindLicense {
  const find = async (key: string) => {
    const found = mayBeKey(key) ? await findByKeyHash(hashLicenseKey(key)) : undefined;
    if (found === undefined) return undefined;
    const { keyWorksUntil, ...license } = found;
    return { license, worksUntil: keyWorksUntil ?? Infinity, standing: rememberStanding(license, catalog) };
  };
  const remembered = new GenerationMap(generation, find, LICENSES_REMEMBERED_MAX);
  type Remembered = Awaited<ReturnType<typeof find>>;
  // The generation does not change when a rotated key expires, so this is checked on each lookup.
  const standingNow = (found: Remembered) => {
    const nowMs = now();
    return found && nowMs < found.worksUntil
      ? { license: found.license, standing: found.standing(nowMs) }
      : undefined;
  };
  return (key) => whenReady(remembered.get(trimInvisible(key)), standingNow);
}

/** The license of a request's key; undefined if licenses cannot be read, because rate limit headers must not cause failures. */
export const licenseIdOf =
  (findLicense: FindLicense) =>
  (request: Request): number | undefined | Promise<number | undefined> => {
    const key = bearerKey(request);
    if (key === undefined) return undefined;
    try {
      const found = findLicense(key);
      return found instanceof Promise ? found.then(idOf, () => undefined) : idOf(found);
    } catch {
      return undefined;
    }
  };

const idOf = (found: FoundLicense | undefined) => found?.license.id;
