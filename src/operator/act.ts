import { isDeepStrictEqual } from 'node:util';
import type { Author } from '../domain/admin/author.ts';
import { licenseName } from '../domain/license/license-name.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import type { LicenseChange, LicenseRecord } from '../storage/licenses/licenses.ts';
import type { AuditEntry, AuditedFacts } from '../storage/operators/audit.ts';

/** How long the reason of an act may be. */
export const REASON_CHARACTERS_MAX = 200;

/** The actor, the reason and the time of an act. */
export interface Act extends Author {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Why an act cannot be done, in a sentence for the operator. */
export interface RefusedAct {
  readonly refused: string;
  /** For programs; omitted = `ACT_REFUSED`. */
  readonly code?: 'LICENSE_NOT_FOUND' | 'EXTERNAL_ID_TAKEN' | 'ACT_REFUSED';
  /** The conflicting license, such as `lic_1`. */
  readonly licenseId?: string;
}

/**
 * The effect of an act: jobs for one transaction, including its audit entry, and none if nothing would change. Valid for the
 * state read in that transaction.
 */
export interface PlannedAct {
  readonly jobs: readonly Job[];
  /** What the operator should know, in sentences. */
  readonly notices?: readonly string[];
}

export type ActOutcome = PlannedAct | RefusedAct;

/** What an act changes, by the facts' names. */
export interface ChangedFacts {
  readonly before?: AuditedFacts;
  readonly after?: AuditedFacts;
}

/** Jobs with the audit entry of what they change. */
export function audited(
  { now, ...author }: Act,
  action: string,
  subject: string | null,
  jobs: readonly Job[],
  facts: ChangedFacts = {},
): PlannedAct {
  const entry: AuditEntry = { at: now, ...author, action, subject, ...facts };
  return { jobs: [...jobs, { name: 'audit', input: entry }] };
}

export const unchanged = (why: string): PlannedAct => ({ jobs: [], notices: [`nothing changed: ${why}`] });

/** Adds a notice to an act that changes nothing. */
export const withUnchangedNotice = <Plan extends PlannedAct>(planned: Plan): Plan =>
  planned.jobs.length === 0 && (planned.notices ?? []).length === 0
    ? { ...planned, ...unchanged('already set') }
    : planned;

export const refusalOfRevoked = ({ id, revokedAt }: LicenseRecord): RefusedAct | undefined =>
  revokedAt === null ? undefined : { refused: `${licenseName(id)} is revoked, which is permanent` };

export const isEmpty = (facts: AuditedFacts): boolean => Object.keys(facts).length === 0;

/** The wanted facts that differ from the current ones. */
export function changed<Wanted extends object>(
  now: { readonly [Name in keyof Wanted]?: unknown },
  wanted: Wanted,
) {
  const names = (Object.keys(wanted) as (keyof Wanted)[]).filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], now[name]),
  );
  return {
    before: Object.fromEntries(names.map((name) => [name, now[name]])),
    after: Object.fromEntries(names.map((name) => [name, wanted[name]])) as {
      [Name in keyof Wanted]?: Exclude<Wanted[Name], undefined>;
    },
  };
}

/** The change of one license in facts independent of others. */
export const changeOf = (id: number, change: LicenseChange): Job => ({
  name: 'changeLicense',
  input: { id, change },
});
