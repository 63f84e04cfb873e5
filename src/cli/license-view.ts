import type { Catalog } from '../domain/license/catalog.ts';
import { dailyBudget } from '../domain/license/daily-budget.ts';
import { licenseStanding } from '../domain/license/license.ts';
import { shownLicense, shownPreviousKey } from '../operator/shown-license.ts';
import type { Config } from '../settings/config.ts';
import { readDailyVolumes } from '../storage/licenses/daily-volumes.ts';
import type { LicenseRecord } from '../storage/licenses/licenses.ts';
import { readPreviousKeys } from '../storage/licenses/previous-keys.ts';
import { print, printJson, table } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';

/** Prints one license, with what it may store a day and what it has stored today. */
export async function printLicense(
  { db }: Store,
  license: LicenseRecord,
  { catalog, settings, json }: { catalog: Catalog; settings: Config; json: true | undefined },
): Promise<void> {
  const now = Date.now();
  const facts = shownLicense(license, catalog, now);
  const used = await readDailyVolumes(db).ofLicense(license.id, now);
  const old = shownPreviousKey(await readPreviousKeys(db)(license.id, now));
  const budget = dailyBudget(license, licenseStanding(license, catalog, now), settings);
  if (json) {
    const daily_budget = { ...budget, events_used: used.events, bytes_used: used.bytes };
    printJson({ ...facts, previous_key: old, daily_budget });
    return;
  }
  const rows = {
    ...facts,
    previous_key: old && `${old.key}, works until ${old.works_until}`,
    daily_events: `${used.events} of ${budget.events ?? 'unlimited'}`,
    daily_bytes: `${used.bytes} of ${budget.bytes ?? 'unlimited'}`,
  };
  print(
    table(
      ['field', 'value'],
      Object.entries(rows).map(([field, value]) => [
        field,
        Array.isArray(value) ? value.join(', ') || null : value,
      ]),
    ),
  );
}
