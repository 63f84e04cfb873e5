import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import oneOfSeveral from '../../systemd/redoubt@.service' with { type: 'text' };
import service from '../../systemd/redoubt.service' with { type: 'text' };
import adminService from '../../systemd/redoubt-admin.service' with { type: 'text' };
import adminSocket from '../../systemd/redoubt-admin.socket' with { type: 'text' };
import backupService from '../../systemd/redoubt-backup.service' with { type: 'text' };
import backupTimer from '../../systemd/redoubt-backup.timer' with { type: 'text' };
import { LOCAL_EXECUTABLE, PACKAGED_EXECUTABLE } from '../domain/release/places.ts';
import { layFile } from '../lib/lay-file.ts';
import { BAKED_EXEC_ARGV } from '../lib/version.ts';
import { makeDataDirectory } from '../storage/engine/data-directory.ts';
import { wordsFor } from '../storage/engine/trouble.ts';
import { CommandRefused, tell, WrongUsage } from '../terminal/output.ts';
import { hostCommand, makeServiceUser, type Note } from './init-user.ts';

// Where the units have them.
const DATA_DIRECTORY = '/var/lib/redoubt';
const SETTINGS_FILE = '/etc/redoubt/redoubt.env';

const UNITS_DIRECTORY = '/etc/systemd/system';
const UNITS = {
  'redoubt.service': service,
  'redoubt@.service': oneOfSeveral,
  'redoubt-admin.socket': adminSocket,
  'redoubt-admin.service': adminService,
  'redoubt-backup.service': backupService,
  'redoubt-backup.timer': backupTimer,
};
/** It is there only where systemd runs (sd_booted(3)). */
const SYSTEMD_RUNS = '/run/systemd/system';

/** What the settings file says before anybody has written in it. */
export const NO_SETTINGS = `# Settings of Redoubt, NAME=value in each line: "redoubt config --help" lists them.
# "systemctl reload redoubt" takes changes over.
#SERVICE_THREAT_FEED_ENABLED=1

# The console and the admin API. redoubt-admin.socket holds 127.0.0.1:8081 and [::1]:8081 for this socket, so that no other user's program
# can. To listen elsewhere, change the line and run "systemctl mask --now redoubt-admin.socket", then restart.
SERVICE_ADMIN_HOST=/run/redoubt/admin.sock
`;

const ROOT = 0;

/**
 * Creates what systemd needs to run the service on this host: its user, data directory, settings file, executable and units.
 * Keeps existing files. Enables and starts nothing.
 *
 * @throws WrongUsage for other users than root, and for another data directory than that of the units; CommandRefused or
 *   DataDirectoryUnusable when something cannot be created
 */
export function makeService(dataDir: string, note: Note): void {
  if (process.geteuid?.() !== ROOT)
    throw new WrongUsage('init --systemd changes this host. Run it as root, for example with sudo');
  if (resolve(dataDir) !== DATA_DIRECTORY)
    throw new WrongUsage(
      `the systemd units use ${DATA_DIRECTORY}. Unset SERVICE_DATA_DIR, or run init without --systemd`,
    );

  const { uid, gid } = makeServiceUser(note);
  const isDirectoryMade = makeDataDirectory(DATA_DIRECTORY);
  if (isDirectoryMade) chownSync(DATA_DIRECTORY, uid, gid);
  else if (statSync(DATA_DIRECTORY).uid !== uid)
    throw new CommandRefused(
      `${DATA_DIRECTORY} belongs to another user. Run chown -R redoubt: ${DATA_DIRECTORY}, then repeat the command`,
    );
  note(DATA_DIRECTORY, isDirectoryMade);

  writeNew(SETTINGS_FILE, note, (partial) => {
    writeFileSync(partial, NO_SETTINGS);
    chownSync(partial, ROOT, gid);
    chmodSync(partial, 0o640);
  });
  // Files of the Debian package are dpkg's to replace, and our own units would hide those of the package.
  if (process.execPath === PACKAGED_EXECUTABLE) {
    note(PACKAGED_EXECUTABLE, false);
    return;
  }
  writeExecutable(note);
  const laid = Object.entries(UNITS).filter(([name, text]) =>
    writeUnit(join(UNITS_DIRECTORY, name), text, note),
  );
  if (laid.length > 0 && isThere(SYSTEMD_RUNS)) hostCommand('systemctl', 'daemon-reload');
}

function writeExecutable(note: Note): void {
  const isCompiled = BAKED_EXEC_ARGV !== undefined;
  if (!isCompiled && !isThere(LOCAL_EXECUTABLE)) {
    tell(`${LOCAL_EXECUTABLE} is missing and cannot be created from source. Build it, and copy it there`);
    return;
  }
  const isNew = writeNew(LOCAL_EXECUTABLE, note, (partial) => {
    copyFileSync(process.execPath, partial);
    chmodSync(partial, 0o755);
  });
  if (isCompiled && !isNew && bytesOf(LOCAL_EXECUTABLE)?.equals(readFileSync(process.execPath)) !== true)
    tell(`${LOCAL_EXECUTABLE} is another executable and was kept. To use this one, replace it`);
}

/** @returns whether it was written */
function writeUnit(path: string, text: string, note: Note): boolean {
  const isNew = writeNew(path, note, (partial) => {
    writeFileSync(partial, text);
    chmodSync(partial, 0o644);
  });
  if (!isNew && bytesOf(path)?.toString() !== text)
    tell(
      `${path} differs from the unit of this version and was kept. To replace it, remove it and repeat the command`,
    );
  return isNew;
}

/** @returns whether it was written, because nothing existed */
function writeNew(path: string, note: Note, fill: (partial: string) => void): boolean {
  const isNew = !isThere(path);
  if (isNew) {
    try {
      makeFolder(dirname(path));
      layFile(path, fill);
    } catch (error) {
      throw new CommandRefused(`cannot create ${path}: ${wordsFor(error)}`);
    }
  }
  note(path, isNew);
  return isNew;
}

/** Readable for all users with any umask of root: the service has to find its files there. */
function makeFolder(path: string): void {
  if (isThere(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

/** Includes dangling links, such as of a masked unit, which are not ours to replace. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
