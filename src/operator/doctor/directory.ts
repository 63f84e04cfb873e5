import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { Fault } from '../../lib/fault.ts';
import { userName } from '../../lib/user-name.ts';
import {
  DataDirectoryUnusable,
  databasePath,
  findDataDirectory,
  installationKeyPath,
} from '../../storage/engine/data-directory.ts';
import { MIGRATIONS } from '../../storage/engine/migrations.ts';
import { ofOtherOwners, openToAll, openToOthers, whyUnusable } from '../../storage/engine/ownership.ts';
import { checkDatabase, databaseVersion } from '../../storage/engine/sqlite/database.ts';
import { lookAt } from '../../storage/engine/sqlite/look.ts';
import { wordsFor } from '../../storage/engine/trouble.ts';
import { readEvidenceKey } from '../../storage/evidence/evidence-key.ts';
import { readSecret } from '../../storage/installation/installation-key.ts';
import { isRestorePending } from '../../storage/installation/pending-restore.ts';
import { type Finding, failure, restorePending, warning, worded } from './finding.ts';

const LOOK = 'check it with ls -l';

/** The state of a data directory; `closed` = this user may not read it. */
export interface DirectoryLook {
  readonly state: 'usable' | 'unusable' | 'closed';
  readonly findings: readonly Finding[];
}

/** Finds a data directory and its owner. */
export function examineDirectory(directory: string): DirectoryLook {
  try {
    if (!findDataDirectory(directory)) {
      const todo =
        'create it with "redoubt init", or set SERVICE_DATA_DIR, or SERVICE_CONFIG, as for the server';
      const missing = failure(
        'data-directory-missing',
        `the data directory ${directory} does not exist`,
        todo,
      );
      return { state: 'unusable', findings: [missing] };
    }
    accessSync(directory, constants.R_OK | constants.X_OK);
    const owners = ownersOf(directory);
    // Where the owner is another user, that is the reason.
    const unusable = owners.foreign.length > 0 ? [] : whyUnusable(directory);
    const findings = unusable.map((why) => worded('data-directory-file', new Fault(why), LOOK));
    return { state: 'usable', findings: [...judgeOwners(owners), ...findings] };
  } catch (error) {
    if (error instanceof DataDirectoryUnusable)
      return { state: 'unusable', findings: [worded('data-directory', error, LOOK)] };
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    const what = `this user cannot read the data directory ${directory}`;
    const closed = failure('data-directory-closed', what, 'run doctor as root or as its owner');
    return { state: 'closed', findings: [closed] };
  }
}

/** The owners and modes of our files in a data directory. */
export interface OwnerFacts {
  readonly directory: string;
  /** Its owner's name or number. */
  readonly owner: string;
  /** Paths that users other than their owner may use. */
  readonly open: readonly string[];
  /** Paths with another owner than the directory. */
  readonly foreign: readonly string[];
}

function ownersOf(directory: string): OwnerFacts {
  const { uid } = statSync(directory);
  return {
    directory,
    owner: userName(uid) ?? String(uid),
    open: openToOthers(directory),
    foreign: ofOtherOwners(directory),
  };
}

/** Checks owners and modes. */
export function judgeOwners({ directory, owner, open, foreign }: OwnerFacts): Finding[] {
  const findings: Finding[] = [];
  if (foreign.length > 0) {
    const what = `${foreign.join(', ')} must belong to ${owner}, the owner of ${directory}: the service cannot use it`;
    findings.push(failure('data-directory-owner', what, `chown -R ${owner}: ${foreign.join(' ')}`));
  }
  if (open.length > 0) {
    const what = `${open.join(', ')}: other users can read keys here or stop the service`;
    findings.push(failure('data-directory-open', what, `chmod go= ${open.join(' ')}`));
  }
  return findings;
}

/** Checks who may read the keys, if they have a separate directory. */
export function examineKeysDirectory(directory: string): Finding[] {
  if (!existsSync(directory)) {
    const what = `SERVICE_KEYS_DIR names ${directory}, which does not exist`;
    return [failure('keys-directory-missing', what, 'copy the keys there from another node')];
  }
  const open = openToAll(directory);
  if (open.length === 0) return [];
  const what = `${open.join(', ')}: open to all users, who can read the keys of this installation`;
  return [failure('keys-directory-open', what, `chmod o= ${open.join(' ')}`)];
}

/** Checks the database and compares its key; `isCurrent`: it is sound and of this binary's version. */
export function examineDatabase(directory: string): { findings: readonly Finding[]; isCurrent: boolean } {
  const [path, key] = [databasePath(directory), installationKeyPath(directory)];
  try {
    if (isRestorePending(directory)) return { findings: [restorePending(directory)], isCurrent: false };
    const version = databaseVersion(path, lookAt);
    if (version === 0) {
      const todo = 'restore it from a backup or, in a new directory, create it with "redoubt init"';
      const missing = failure('database-missing', `there is no database in ${directory}`, todo);
      return { findings: [missing], isCurrent: false };
    }
    const findings = judgeVersion(path, version, MIGRATIONS.length);
    checkDatabase(path, lookAt);
    return {
      findings: [...findings, ...examineKey(key, path)],
      isCurrent: version === MIGRATIONS.length,
    };
  } catch (error) {
    return { findings: [worded('database', error as Error, 'restore a backup')], isCurrent: false };
  }
}

/** Whether a database is of this binary's version. */
export function judgeVersion(path: string, version: number, ours: number): Finding[] {
  const what = `${path} has version ${version}, but this executable requires ${ours}`;
  if (version > ours) return [failure('database-newer', what, 'use the newer redoubt')];
  if (version === ours) return [];
  const todo =
    'restart the service, which migrates it, or stop it and run "redoubt migrate" (--status shows what would change)';
  return [warning('database-older', what, todo)];
}

function examineKey(key: string, database: string): Finding[] {
  try {
    if (readSecret(key, database, lookAt) !== undefined) return [];
    return [warning('installation-key', `${key} is missing`, 'create it with "redoubt init"')];
  } catch (error) {
    const isOfFile = (error as NodeJS.ErrnoException).code !== undefined;
    const told = isOfFile ? new Fault(`cannot read ${key}: ${wordsFor(error)}`) : error;
    return [worded('installation-key', told as Error, LOOK)];
  }
}

/** Checks that the service can use the evidence key; before its first start there is none. */
export function examineEvidenceKey(directory: string): Finding[] {
  try {
    readEvidenceKey(directory);
    return [];
  } catch (error) {
    return [worded('evidence-key', error as Error, 'restore it from a backup')];
  }
}
