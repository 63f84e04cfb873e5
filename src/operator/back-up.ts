import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backupName, installationTag } from '../domain/backup/backup-name.ts';
import type { Keeping } from '../domain/backup/kept-backups.ts';
import { createIdentities } from '../domain/identity.ts';
import { type Chunks, encryptFor } from '../lib/age-file.ts';
import type { PostgresAddress } from '../settings/database-address.ts';
import { BackupRefused } from '../storage/backup/backup-refused.ts';
import type { DatabaseElsewhere } from '../storage/backup/manifest.ts';
import { type StagedBackup, stageBackup } from '../storage/backup/stage-backup.ts';
import { pruneBackups, removePartials, writeBackup } from '../storage/backup/write-backup.ts';
import {
  backupDirectory,
  databasePath,
  findDataDirectory,
  installationKeyPath,
  lockBackups,
  orUnusable,
} from '../storage/engine/data-directory.ts';
import { asOwner } from '../storage/engine/ownership.ts';
import { refuseOtherVersion } from '../storage/engine/sqlite/database.ts';
import { findInstallation } from '../storage/installation/installation.ts';
import { readSecret } from '../storage/installation/installation-key.ts';
import type { Directories } from '../storage/installation/postgres-installation.ts';
import { type Act, audited, type PlannedAct } from './act.ts';

/** How far a backup is: what is done, and to how many of how many bytes, where that is known. */
export interface BackupProgress {
  readonly phase: 'copying' | 'checking' | 'writing';
  readonly done?: number;
  readonly all: number;
}

export interface BackUpOptions {
  readonly directories: Directories;
  /** The PostgreSQL database, whose rows are not in the backup; undefined = the database is in the data directory. */
  readonly address: PostgresAddress | undefined;
  /** A folder, or a new file; undefined = the folder `backups` in the data directory. */
  readonly to?: string | undefined;
  /** Public keys of age; none = not encrypted. */
  readonly recipients: readonly string[];
  /** The settings, without secrets. */
  readonly settings: string;
  /** Which backups of this installation to retain in the folder; undefined = all. */
  readonly keeping?: Keeping | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
}

/** A backup as it was made. */
export interface MadeBackup {
  /** Absolute. */
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly bytes: number;
  readonly encrypted: boolean;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Undefined where the database is in it. */
  readonly database: DatabaseElsewhere | undefined;
  /** The paths of older ones that were removed for it. */
  readonly removed: readonly string[];
  /** The paths of files next to the keys that are not keys, and so are not in it. */
  readonly leftOut: readonly string[];
}

/**
 * Makes a backup beside a running server. The database is read as the owner of the data directory, and the file is written as the owner of
 * its folder, where this process is root.
 *
 * @throws BackupRefused, DataDirectoryUnusable, DatabaseUnusable, InstallationKeyRefused, Fault; then older ones stay
 */
export async function makeBackup(options: BackUpOptions): Promise<MadeBackup> {
  const { directories, address, to, recipients } = options;
  const { data: dataDir } = directories;
  const encrypt = recipients.length === 0 ? undefined : await encryptFor(recipients);
  refuseNoDirectory(options);
  if (to !== undefined) refuseNoFolder(folderOf(to));
  const release = await asOwner(dataDir, () => {
    if (!address) {
      const { path, version } = findInstallation(dataDir);
      refuseOtherVersion(path, version);
    }
    return lockBackups(dataDir);
  });
  try {
    const staged = await asOwner(dataDir, () => stage(options));
    try {
      if (to !== undefined) return await asOwner(folderOf(to), () => write(staged, to, encrypt, options));
      return await asOwner(dataDir, () => write(staged, defaultFolder(dataDir), encrypt, options));
    } finally {
      staged.close();
    }
  } finally {
    release();
  }
}

const tellerOf =
  ({ onProgress }: BackUpOptions) =>
  (phase: BackupProgress['phase'], all: number, done?: number) =>
    onProgress?.({ phase, all, ...(done === undefined ? {} : { done }) });

async function stage(options: BackUpOptions): Promise<StagedBackup & { readonly installation: string }> {
  const { directories, address, settings, now } = options;
  const { data: dataDir } = directories;
  if (address) {
    const { stagePostgresBackup } = await import('../storage/backup/stage-postgres-backup.ts');
    const staged = await stagePostgresBackup({ directories, address, settings, now });
    return { ...staged, installation: installationTag(staged.manifest.database.key_fingerprint) };
  }
  const secret = readSecret(installationKeyPath(dataDir), databasePath(dataDir)) ?? new Uint8Array();
  const installation = installationTag(createIdentities(secret).keyFingerprint);
  return { ...(await stageBackup({ dataDir, settings, now, onPhase: tellerOf(options) })), installation };
}

/** Says what to do. */
function refuseNoDirectory({ directories: { data }, address }: BackUpOptions): void {
  if (findDataDirectory(data)) return;
  if (!address) findInstallation(data);
  throw new BackupRefused(
    `the data directory ${data} does not exist. Set SERVICE_DATA_DIR, or SERVICE_CONFIG, as for the server`,
  );
}

async function write(
  staged: StagedBackup & { readonly installation: string },
  to: string,
  encrypt: ((chunks: Chunks) => Chunks) | undefined,
  options: BackUpOptions,
): Promise<MadeBackup> {
  const { keeping, now } = options;
  const folder = folderOf(to);
  const encrypted = encrypt !== undefined;
  removePartials(folder, staged.installation);
  const isFolder = folder === resolve(to);
  const target = isFolder ? join(folder, backupName(staged.installation, now, encrypted)) : resolve(to);
  const tell = tellerOf(options);
  const bytes = await writeBackup(target, staged, {
    encrypt,
    onBytes: (done, all) => tell('writing', all, done),
  });
  const path = realpathSync(target);
  const removed = keeping ? pruneBackups(dirname(path), staged.installation, now, keeping) : [];
  const { counts, database } = staged.manifest;
  return { path, at: now, bytes, encrypted, counts, database, removed, leftOut: staged.leftOut };
}

/** Plans to remember a backup that was made. */
export function rememberBackup({ removed, ...made }: MadeBackup, act: Act): PlannedAct {
  const { path, at, bytes, encrypted } = made;
  return audited(
    act,
    'backup.create',
    path,
    [
      { name: 'keepBackup', input: { path, at, bytes, encrypted } },
      { name: 'forgetBackups', input: { paths: removed } },
    ],
    { after: { bytes, encrypted, removed: removed.length } },
  );
}

/** Made where there is none. */
function defaultFolder(dataDir: string): string {
  const folder = backupDirectory(dataDir);
  return orUnusable(`cannot create ${folder}`, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  });
}

/** An existing folder gets a file with a generated name; any other path is that of a file. */
function folderOf(to: string): string {
  const isFolder = to.endsWith('/') || statSync(to, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? resolve(to) : dirname(resolve(to));
}

function refuseNoFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new BackupRefused(
    `the directory ${folder} does not exist. Create it, mount its disk, or name another`,
  );
}
