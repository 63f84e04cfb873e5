import { hashLicenseKey } from '../domain/license/license-key.ts';
import { parseLicenseName } from '../domain/license/license-name.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import type { Database } from '../storage/engine/database.ts';
import { readLicensePages } from '../storage/licenses/license-pages.ts';
import { type LicenseMatch, readLicenseSearch } from '../storage/licenses/license-search.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';

export interface FoundLicense {
  readonly license: LicenseRecord;
  /** What of it is the text, or holds it. */
  readonly matched: LicenseMatch;
}

export interface FoundLicenses {
  readonly found: readonly FoundLicense[];
  readonly hasMore: boolean;
}

/**
 * Finds licenses by any of these: a name, a whole key, also the previous one while it still works, the last four
 * characters of one, an external id, a domain that is registered or blocked, or a part of a mailbox, a customer or a note, in any
 * case. One answer per license, by the surest of these and in their order: name, key, key before, external id, domain, blocked domain, last
 * four, mailbox, customer, note; then the shortest note first, what is not revoked, and the newest.
 *
 * @param text without blanks around it; it may be a key and is never repeated
 * @param ofCustomers whether by what says whose a license is as well: external id, mailbox, customer, note
 */
export async function findLicenses(
  db: Database,
  text: string,
  limit: number,
  now: number,
  ofCustomers = true,
): Promise<FoundLicenses> {
  // Nothing that is kept has such a character, and SQL would end the text there.
  if (text.includes('\0')) return { found: [], hasMore: false };
  const sought = {
    text: text.normalize(),
    id: parseLicenseName(text) ?? null,
    keyHash: hashLicenseKey(text),
    domain: normalizeSiteDomain(text)?.name ?? null,
    ofCustomers,
  };
  // One more than is wanted tells whether there are more.
  const matching = await readLicenseSearch(db)(sought, limit + 1, now);
  const page = matching.slice(0, limit);
  const licenses = await readLicensePages(db).ofIds(page.map(({ id }) => id));
  const byId = new Map(licenses.map((license) => [license.id, license]));
  return {
    found: page.flatMap(({ id, matched }) => {
      const license = byId.get(id);
      return license === undefined ? [] : { license, matched };
    }),
    hasMore: matching.length > limit,
  };
}
