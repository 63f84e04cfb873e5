import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import { databasePath, installationKeyPath } from '../engine/data-directory.ts';
import { type Database, disconnect, truncateLog } from '../engine/database.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { connect, migrateCopy } from '../engine/sqlite/database.ts';
import { rememberedKey } from '../installation-key.ts';
import { discardPrepared, type PendingRestore, PLAN_FILE, preparedPath } from '../pending-restore.ts';
import { signingDirectory } from '../signing-directory.ts';
import type { BackupFile } from './backup-file.ts';
import { checkUnpacked } from './check-unpacked.ts';
import { DATABASE_MEMBER, KEY_MEMBER, type Manifest, SETTINGS_MEMBER, SIGNING_FOLDER } from './manifest.ts';
import { unpackBackup } from './unpack-backup.ts';

export interface PreparedRestore {
  readonly manifest: Manifest;
  readonly settings: string;
  /** The directory, in the data directory, for what is replaced. */
  readonly before: string;
  /** The version that the database had, where it was brought to this binary's. */
  readonly migratedFrom: number | undefined;
}

export interface RestoreOptions {
  readonly dataDir: string;
  /** The directory, in the data directory, for what is replaced; nothing may be there. */
  readonly before: string;
  /** Changes the database that will be laid, which is of this binary's version. */
  readonly touch: (db: Database, manifest: Manifest) => Promise<void>;
  readonly onBytes?: ((done: number, all: number) => void) | undefined;
}

/**
 * Makes a restore ready, beside what is there, which stays as it is. The data directory is locked.
 *
 * @throws BackupRefused, DatabaseUnusable, Fault; what was laid then is removed by the next one
 */
export async function prepareRestore(file: BackupFile, options: RestoreOptions): Promise<PreparedRestore> {
  const { dataDir, before, touch, onBytes } = options;
  const directory = preparedPath(dataDir);
  discardPrepared(dataDir);
  mkdirSync(directory, { mode: 0o700 });
  const manifest = await unpackBackup(file, directory, onBytes);
  checkUnpacked(directory, manifest);
  const settings = takeSettings(directory);
  const database = join(directory, DATABASE_MEMBER);
  const isOlder = manifest.schema_version < MIGRATIONS.length;
  if (isOlder) migrateCopy(database);
  const db = connect(database);
  try {
    await touch(db, manifest);
    // Only the database itself is laid: what stayed in the log beside it would be lost.
    await truncateLog(db);
  } finally {
    await disconnect(db);
  }
  writeFileSync(join(directory, PLAN_FILE), JSON.stringify(planOf(dataDir, directory, before)), {
    mode: 0o600,
  });
  for (const name of [PLAN_FILE, DATABASE_MEMBER, '.']) flush(join(directory, name));
  return { manifest, settings, before, migratedFrom: isOlder ? manifest.schema_version : undefined };
}

/**
 * Of the same installation, the keys that sign stay as they are, and only what is missing comes back. Marks of keys that were revoked stay in
 * any case, and no such key comes back.
 */
function planOf(dataDir: string, directory: string, before: string): PendingRestore {
  const present = namesIn(signingDirectory(dataDir));
  const brought = namesIn(join(directory, SIGNING_FOLDER));
  const isSame = isOfInstallation(dataDir, directory);
  const isRevoked = (name: string) => present.includes(name.replace(KEY_END, MARK_END));
  const signing = brought.filter((name) => !isRevoked(name) && !(isSame && present.includes(name)));
  const keys = existsSync(join(directory, KEY_MEMBER)) ? [KEY_MEMBER] : [];
  const replaced = [
    ...['-wal', '-shm', '-journal', ''].map((suffix) => DATABASE_MEMBER + suffix),
    ...keys,
    ...(isSame
      ? []
      : present.filter((name) => !name.endsWith(MARK_END)).map((name) => SIGNING_FOLDER + name)),
  ];
  return {
    before,
    replaced: replaced.filter((name) => existsSync(join(dataDir, name))),
    laid: [...keys, ...signing.map((name) => SIGNING_FOLDER + name), DATABASE_MEMBER],
  };
}

const KEY_END = /[.]pem$/;
const MARK_END = '.revoked';

/** By the key, or where that is lost, which may be why something is restored, by what the database remembers of it. */
function isOfInstallation(dataDir: string, directory: string): boolean {
  const [present, brought] = [installationKeyPath(dataDir), join(directory, KEY_MEMBER)].map(textOf);
  if (present !== undefined) return present.trim() === brought?.trim();
  const [known, expected] = [databasePath(dataDir), join(directory, DATABASE_MEMBER)].map(rememberedKey);
  return known !== undefined && known === expected;
}

function takeSettings(directory: string): string {
  const path = join(directory, SETTINGS_MEMBER);
  const settings = textOf(path) ?? '';
  rmSync(path, { force: true });
  return settings;
}

const textOf = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8') : undefined;

const namesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
