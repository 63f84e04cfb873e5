import { addToFindings, type LicenseFindings } from '../domain/notification/finding-digests.ts';
import {
  changesBetween,
  type FindingChanges,
  findingsOf,
  isAnyChange,
  type KnownFinding,
} from '../domain/vulnerability/finding-changes.ts';
import { lookUpAll } from '../domain/vulnerability/findings.ts';
import type { InventoryComponent } from '../domain/vulnerability/inventory.ts';
import type { Database } from '../storage/engine/database.ts';
import { prepare } from '../storage/engine/statement.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import { readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { eachInventory } from '../storage/vulnerabilities/inventories.ts';

/**
 * What a snapshot changes for the sites of this installation, by license: many sites have the same components, so each version of one
 * is compared once. None of revoked licenses.
 *
 * @param before null = there was none
 */
export async function importedFindings(
  db: Database,
  before: Snapshot | null,
  after: Snapshot,
): Promise<LicenseFindings[]> {
  const assertions = await readAssertions(db)();
  const foundIn = async (snapshot: Snapshot, component: InventoryComponent): Promise<KnownFinding[]> => {
    const [outcome] = await lookUpAll(snapshot, [component]);
    return outcome ? findingsOf(snapshot, outcome, assertions) : [];
  };
  const changesOf = async (component: InventoryComponent): Promise<FindingChanges | null> => {
    const had = before ? await foundIn(before, component) : [];
    const changes = changesBetween(had, await foundIn(after, component));
    return isAnyChange(changes) ? changes : null;
  };
  /** Null = none. A promise for each of millions of components would take longer than all else. */
  const compared = new Map<string, FindingChanges | null>();

  const byLicense = new Map<number, LicenseFindings>();
  await eachInventory(db, async ({ licenseId, components }) => {
    const ofSite: FindingChanges[] = [];
    for (const component of components) {
      const key = `${component.nameHash} ${component.version} ${component.ecosystem}`;
      let changes = compared.get(key);
      if (changes === undefined) {
        changes = await changesOf(component);
        compared.set(key, changes);
      }
      if (changes !== null) ofSite.push(changes);
    }
    if (ofSite.length > 0)
      byLicense.set(licenseId, addToFindings(byLicense.get(licenseId), licenseId, ofSite));
  });

  const licenseOf = prepare<{ customer: string | null }>(
    db,
    'select customer from licenses where id = ? and revoked_at is null',
  );
  const findings: LicenseFindings[] = [];
  for (const found of byLicense.values()) {
    const license = await licenseOf.get(found.licenseId);
    if (license) findings.push({ ...found, customer: license.customer });
  }
  return findings;
}
