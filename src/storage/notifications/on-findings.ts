import { licenseName } from '../../domain/license/license-name.ts';
import type { NotificationData } from '../../domain/notification/event.ts';
import {
  FINDING_EVENTS,
  type LicenseFindings,
  totalFindings,
} from '../../domain/notification/finding-digests.ts';
import { isWanted } from '../../domain/notification/target.ts';
import type { FindingChanges } from '../../domain/vulnerability/finding-changes.ts';
import type { Database } from '../engine/database.ts';
import type { React } from '../engine/jobs/reactions.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { prepareAppend } from './append.ts';
import { prepareSiteNames } from './on-alerts.ts';
import { type MatchedTarget, prepareAllTargets, prepareIsServed } from './wanted-by.ts';

const PREFIX = 'vulnerability.';
const TYPES = FINDING_EVENTS.map(({ type }) => type);

/** Records the findings of changed components for one site. */
export function recordSiteFindings(db: Database): React<{
  readonly licenseId: number;
  readonly siteId: number;
  readonly changes: FindingChanges;
  readonly now: number;
}> {
  const { append } = prepareAppend(db);
  const siteOf = prepareSiteNames(db);
  return async ({ licenseId, siteId, changes, now }) => {
    const data = { license: licenseName(licenseId), ...(await siteOf(siteId)), cause: 'inventory' };
    await append(
      FINDING_EVENTS.filter(({ change }) => changes[change] > 0).map(({ change, type, severity }) => ({
        type,
        severity,
        at: now,
        licenseId,
        data: { ...data, sites: 1, vulnerabilities: changes[change] },
      })),
    );
  };
}

/** The consequences of an import for sites. */
export interface ImportedFindings {
  readonly licenses: readonly LicenseFindings[];
  readonly snapshot: string;
  readonly now: number;
}

export const findingJobs = perDatabase((db: Database) => {
  const { appendFor } = prepareAppend(db);
  const allTargets = prepareAllTargets(db);
  const isServed = prepareIsServed(db);

  return {
    /** Records the findings of an import: each target gets one event of each type for all sites that it covers. */
    digestImport: usesReserve(async ({ licenses, snapshot, now }: ImportedFindings): Promise<void> => {
      const common = { cause: 'import', snapshot };
      for (const [covered, targets] of byCoverage(await allTargets(PREFIX), licenses)) {
        const { changes, sites } = totalFindings(covered);
        const licenseId = targets[0]?.licenseId ?? null;
        const isOfAll = targets.every((target) => target.licenseId === null && !isFiltered(target));
        for (const { change, type, severity } of FINDING_EVENTS) {
          if (changes[change] === 0 || !(await isServed(licenseId, type, now))) continue;
          const event = { type, severity, at: now, licenseId };
          const data: NotificationData = {
            ...common,
            ...(licenseId === null ? {} : { license: licenseName(licenseId) }),
            sites: sites[change],
            vulnerabilities: changes[change],
          };
          const wanting = targets.filter((target) =>
            isWanted({ ...target, licenses: [], customers: [] }, { ...event, customer: null }),
          );
          if (licenseId !== null || isOfAll) await appendFor(wanting, { ...event, data });
          else for (const target of wanting) await appendFor([target], { ...event, data }, target.id);
        }
      }
    }),
  };
});

const isFiltered = ({ licenses, customers }: MatchedTarget): boolean =>
  licenses.length + customers.length > 0;

/** Targets with what each covers: those of operators without filters together, and those of each tenant. */
function* byCoverage(
  targets: readonly MatchedTarget[],
  licenses: readonly LicenseFindings[],
): Generator<readonly [readonly LicenseFindings[], readonly MatchedTarget[]]> {
  yield [licenses, targets.filter((target) => target.licenseId === null && !isFiltered(target))];
  for (const target of targets)
    if (target.licenseId === null && isFiltered(target))
      yield [licenses.filter((one) => isCovered(target, one)), [target]];
  const byId = new Map(licenses.map((one) => [one.licenseId, one]));
  const ofTenants = Map.groupBy(targets, ({ licenseId }) => licenseId);
  for (const [licenseId, ofTenant] of ofTenants) {
    const own = licenseId === null ? undefined : byId.get(licenseId);
    if (own) yield [[own], ofTenant];
  }
}

const isCovered = (
  { licenses, customers }: MatchedTarget,
  { licenseId, customer }: LicenseFindings,
): boolean => licenses.includes(licenseId) || (customer !== null && customers.includes(customer));

/** Whether any target, or one of a license or of operators, wants findings about components. */
export function readFindingsWanted(db: Database): (licenseId?: number) => Promise<boolean> {
  const { isAnyWanted } = prepareAppend(db);
  const allTargets = prepareAllTargets(db);
  return async (licenseId) =>
    licenseId === undefined ? (await allTargets(PREFIX)).length > 0 : isAnyWanted(TYPES, licenseId);
}
