import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import { readFile } from '../../lib/read-file.ts';
import { databasePath, installationKeyPath } from '../engine/data-directory.ts';
import { type Database, disconnect, truncateLog } from '../engine/database.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { connect, migrateCopy } from '../engine/sqlite/database.ts';
import { rememberedKey } from '../installation/installation-key.ts';
import {
  discardPrepared,
  type PendingRestore,
  PLAN_FILE,
  preparedPath,
} from '../installation/pending-restore.ts';
import { signingDirectory } from '../signing/signing-directory.ts';
import type { BackupFile } from './backup-file.ts';
import { BackupRefused } from './backup-refused.ts';
import { checkUnpacked } from './check-unpacked.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type Manifest, SETTINGS_MEMBER, SIGNING_FOLDER } from './manifest.ts';
import { unpackBackup } from './unpack-backup.ts';

export interface PreparedRestore {
  readonly manifest: Manifest;
  readonly settings: string;
  /** The directory, in the data directory, for replaced files. */
  readonly before: string;
  /** The version of the database, if it was migrated to this binary's. */
  readonly migratedFrom: number | undefined;
}

export interface RestoreOptions {
  /** Contains the keys, and the database, if it is embedded. */
  readonly directory: string;
  /** The directory, in that one, for replaced files; it must not exist. */
  readonly before: string;
  readonly store: RestoredStore;
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
}

/** Which database the settings name, and what is done with a backup before it replaces the current state. */
export type RestoredStore =
  | {
      readonly engine: 'sqlite';
      /** Changes the restored database, which is of this binary's version. */
      readonly touch: (db: Database, manifest: Manifest) => Promise<void>;
    }
  | {
      readonly engine: 'postgresql';
      /** Rejects restored keys, in a directory like that of the keys. */
      readonly hold: (prepared: string) => Promise<void>;
    };

/**
 * Prepares a restore next to the current files, which stay unchanged. The directory is locked.
 *
 * @throws BackupRefused, DatabaseUnusable, Fault; files left then are removed by the next restore
 */
export async function prepareRestore(file: BackupFile, options: RestoreOptions): Promise<PreparedRestore> {
  const { before, store, onBytes } = options;
  const prepared = preparedPath(options.directory);
  discardPrepared(options.directory);
  mkdirSync(prepared, { mode: 0o700 });
  const refuse = (manifest: Manifest) => refuseOtherEngine(manifest, store);
  const manifest = await unpackBackup(file, prepared, { onBytes, refuse });
  checkUnpacked(prepared, manifest);
  const settings = takeSettings(prepared);
  const isOlder = store.engine === 'sqlite' && manifest.schema_version < MIGRATIONS.length;
  if (isOlder) migrateCopy(join(prepared, DATABASE_MEMBER));
  if (store.engine === 'postgresql') await store.hold(prepared);
  else await touchDatabase(join(prepared, DATABASE_MEMBER), (db) => store.touch(db, manifest));
  const plan = planOf(options.directory, prepared, before);
  writeFileSync(join(prepared, PLAN_FILE), JSON.stringify(plan), { mode: 0o600 });
  for (const name of [PLAN_FILE, '.']) flush(join(prepared, name));
  return { manifest, settings, before, migratedFrom: isOlder ? manifest.schema_version : undefined };
}

/** A backup can be restored only to the engine that it was created from. */
function refuseOtherEngine({ database }: Manifest, { engine }: RestoredStore): void {
  if (database && engine === 'sqlite')
    throw new BackupRefused(
      'it is from an installation on PostgreSQL and does not contain the database. Set SERVICE_DATABASE_URL',
    );
  if (!database && engine === 'postgresql')
    throw new BackupRefused(
      'it contains an embedded database, but SERVICE_DATABASE_URL names PostgreSQL. Restore it without that setting, then run "redoubt store copy"',
    );
}

async function touchDatabase(path: string, touch: (db: Database) => Promise<void>): Promise<void> {
  const db = connect(path);
  try {
    await touch(db);
    // Only the database file itself is moved: changes left in its log would be lost.
    await truncateLog(db);
  } finally {
    await disconnect(db);
  }
  flush(path);
}

/**
 * For the same installation, the current signing keys stay, and only missing ones are restored. Marks of revoked keys always
 * stay, and no revoked key is restored.
 */
function planOf(directory: string, prepared: string, before: string): PendingRestore {
  const present = namesIn(signingDirectory(directory));
  const brought = namesIn(join(prepared, SIGNING_FOLDER));
  const isSame = isOfInstallation(directory, prepared);
  const isRevoked = (name: string) => present.includes(name.replace(KEY_END, MARK_END));
  const signing = brought.filter((name) => !isRevoked(name) && !(isSame && present.includes(name)));
  const ifRestored = (name: string) => (existsSync(join(prepared, name)) ? [name] : []);
  const [keys, database] = [ifRestored(KEY_MEMBER), ifRestored(DATABASE_MEMBER)];
  const replaced = [
    ...database.flatMap((name) => ['-wal', '-shm', '-journal', ''].map((suffix) => name + suffix)),
    ...keys,
    ...(isSame
      ? []
      : present.filter((name) => !name.endsWith(MARK_END)).map((name) => SIGNING_FOLDER + name)),
  ];
  return {
    before,
    replaced: replaced.filter((name) => existsSync(join(directory, name))),
    laid: [...keys, ...signing.map((name) => SIGNING_FOLDER + name), ...database],
  };
}

const KEY_END = /[.]pem$/;
const MARK_END = '.revoked';

/**
 * Compares the keys; if the key is lost, which may be the reason for the restore, what the embedded database remembers of it.
 * Without either, the current files stay: a node refuses to start with keys that its database does not know, and names them.
 */
function isOfInstallation(directory: string, prepared: string): boolean {
  const [present, brought] = [installationKeyPath(directory), join(prepared, KEY_MEMBER)].map(textOf);
  if (present !== undefined) return present.trim() === brought?.trim();
  if (!existsSync(join(prepared, DATABASE_MEMBER))) return true;
  const [known, expected] = [databasePath(directory), join(prepared, DATABASE_MEMBER)].map(rememberedKey);
  return known !== undefined && known === expected;
}

function takeSettings(directory: string): string {
  const path = join(directory, SETTINGS_MEMBER);
  const settings = textOf(path) ?? '';
  rmSync(path, { force: true });
  return settings;
}

const textOf = (path: string): string | undefined => (existsSync(path) ? readFile(path) : undefined);

const namesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
