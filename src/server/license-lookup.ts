import type { Catalog } from '../domain/license/catalog.ts';
import { type License, rememberStanding } from '../domain/license/license.ts';
import { hashLicenseKey, isWellFormedKey } from '../domain/license/license-key.ts';
import { bearerKey, type FindLicense } from '../http/caller.ts';
import { GenerationMap } from '../lib/generation-cache.ts';

const LICENSES_REMEMBERED_MAX = 10_000;

export interface LicenseLookup {
  readonly findByKeyHash: (keyHash: string) => License | undefined;
  /** Changes with every license. */
  readonly generation: () => number;
  readonly catalog: Catalog;
  readonly now: () => number;
}

/** Finds licenses by their keys, and remembers both until any license changes. */
export function createLicenseLookup({ findByKeyHash, generation, catalog, now }: LicenseLookup): FindLicense {
  const find = (key: string) => {
    const license = isWellFormedKey(key) ? findByKeyHash(hashLicenseKey(key)) : undefined;
    return license && { license, standing: rememberStanding(license, catalog) };
  };
  const remembered = new GenerationMap(generation, find, LICENSES_REMEMBERED_MAX);
  return (key) => {
    const found = remembered.get(key);
    return found && { license: found.license, standing: found.standing(now()) };
  };
}

/** Whose key a request bears; undefined also when licenses cannot be read: an answer has its headers nevertheless. */
export const licenseIdOf =
  (findLicense: FindLicense) =>
  (request: Request): number | undefined => {
    const key = bearerKey(request);
    try {
      return key === undefined ? undefined : findLicense(key)?.license.id;
    } catch {
      return undefined;
    }
  };
