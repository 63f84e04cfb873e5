import { Fault, reasonOf } from '../../lib/fault.ts';
import { isOfSystem, unexpectedWords } from '../../lib/file-trouble.ts';
import { DataDirectoryUnusable } from '../../storage/engine/data-directory.ts';
import { isAway } from '../../storage/engine/database.ts';
import { troubleOf } from '../../storage/engine/trouble.ts';
import { InstallationKeyRefused } from '../../storage/installation/installation-key.ts';

/** A problem for the operator. It contains no secrets. */
export interface Finding {
  /** What kind of finding it is, in lower case and for good, such as `clock-behind`. */
  readonly id: string;
  /** An error is an outage now or at the next start; a warning will become one, or may. */
  readonly severity: 'error' | 'warning';
  readonly what: string;
  readonly do: string;
}

const findingOf =
  (severity: Finding['severity']) =>
  (id: string, what: string, todo: string): Finding => ({ id, severity, what, do: todo });

export const failure = findingOf('error');
export const warning = findingOf('warning');

/** Errors whose message is for operators, and whose second sentence says what to do. */
const OWN = [Fault, DataDirectoryUnusable, InstallationKeyRefused];

/** Used when the database lacks something. */
const NOT_WHOLE = failure(
  'database',
  'the database is incomplete: a table or column is missing',
  'restore a backup',
);

/** Used when a PostgreSQL database does not answer. */
export const AWAY = failure(
  'database-away',
  'the database named by SERVICE_DATABASE_URL does not respond',
  'start it, check the connection to it (the unit, a firewall), or correct the address',
);

/** Used for the directory of an interrupted restore. */
export const restorePending = (directory: string): Finding =>
  warning(
    'restore-pending',
    `a restore in ${directory} is unfinished`,
    'start the service, or run any command on its data, to finish it',
  );

/** The sentences after the first one. */
const REMEDY = /\. ([A-Z])(.*)$/s;

/** Whether a database lacks what a statement needs. */
const lacks = (error: unknown): boolean =>
  error instanceof Error && (/^no such (?:table|column)/.test(error.message) || lacks(error.cause));

/**
 * A finding for an error.
 *
 * @param otherwise the action, if the error's message has none
 */
export function worded(id: string, error: Error, otherwise: string): Finding {
  if (lacks(error)) return NOT_WHOLE;
  const { message, cause } = error;
  // Our messages may end with those of a system or a library.
  const isOurs = OWN.some((own) => error instanceof own) && (cause === undefined || troubleOf(cause));
  const remedy = isOurs ? REMEDY.exec(message) : null;
  return remedy === null
    ? failure(id, message, otherwise)
    : failure(id, message.slice(0, remedy.index), `${remedy[1]?.toLowerCase()}${remedy[2]}`);
}

/** A finding for a check that failed itself. */
export function lookFailed(error: unknown): Finding {
  if (lacks(error)) return NOT_WHOLE;
  if (isAway(error)) return AWAY;
  if (isOfSystem(error))
    return worded('examination-failed', new Fault(unexpectedWords(error)), 'run doctor again');
  return failure('examination-failed', `a check failed (${reasonOf(error)})`, 'run doctor again');
}

/** The exit code of a look: 0 nothing was found, 1 an error, 3 warnings only. */
export function exitCodeOf(findings: readonly Finding[]): 0 | 1 | 3 {
  if (findings.length === 0) return 0;
  return findings.some(({ severity }) => severity === 'error') ? 1 : 3;
}

const MB = 1_000_000;

/** Bytes for people. */
export const inMb = (bytes: number): string => `${Math.floor(bytes / MB)} MB`;
