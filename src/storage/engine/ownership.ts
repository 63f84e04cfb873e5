import { chmodSync, closeSync, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileWords, NO_FILE } from '../../lib/file-trouble.ts';
import { isOpenStep, stepsTo } from '../../lib/path-steps.ts';
import { openPlainFile } from '../../lib/read-file.ts';
import { userName } from '../../lib/user-name.ts';
import { signingDirectory } from '../signing/signing-directory.ts';
import { backupDirectory, DataDirectoryUnusable, orUnusable } from './data-directory.ts';

const ROOT = 0;
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;
const OPEN_TO_ALL = 0o007;

/**
 * Lets only the owner of the data directory work in it. A process of root permanently becomes that owner: root would follow the
 * owner's links there, and the owner could not use root's files.
 *
 * @throws DataDirectoryUnusable when this process is neither root nor the owner, or cannot become the owner
 */
export function becomeOwner(directory: string): void {
  const { uid, gid, mode } = statSync(directory);
  const user = process.geteuid?.();
  if (user === ROOT && uid === ROOT && (mode & WRITABLE_BY_OTHERS) !== 0) {
    throw new DataDirectoryUnusable(
      `the data directory ${directory} belongs to root, but others can write to it. Run chmod 700 ${directory}, or set SERVICE_DATA_DIR to a directory in it`,
    );
  }
  if (user === uid) return;
  const owner = userName(uid);
  const asOwner = `Run this as its owner: sudo -u ${owner ?? `'#${uid}'`} redoubt ...`;
  const belongs = `the data directory ${directory} belongs to ${owner ?? `the user ${uid}`}`;
  if (user !== ROOT) {
    throw new DataDirectoryUnusable(
      `${belongs}. ${asOwner}, or set SERVICE_DATA_DIR to a directory of yours`,
    );
  }
  if (gid === ROOT) {
    throw new DataDirectoryUnusable(
      `${belongs}, but to the group of root. Run chown ${owner ?? uid}: ${directory}`,
    );
  }
  try {
    becomeUser(uid, gid);
  } catch (error) {
    throw new DataDirectoryUnusable(`${belongs}, and root cannot switch to that user here. ${asOwner}`, {
      cause: error,
    });
  }
}

/**
 * Runs work as the owner of a directory, then becomes root again: for what root must do in its own folders in between, such as
 * writing to a private file. Other work of this process runs as that owner too, so there should be none. If another user than
 * root could redirect the path, it runs as that user.
 *
 * @throws DataDirectoryUnusable when root cannot become the owner, or several users could redirect the path; other users than
 *   root keep their identity
 */
export async function asOwner<Value>(directory: string, work: () => Value | Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== ROOT) return work();
  const { uid, gid } = leaderOf(directory);
  if (uid === ROOT) return work();
  const { setgroups, setegid, seteuid } = process;
  if (!setgroups || !setegid || !seteuid || gid === ROOT) {
    throw new DataDirectoryUnusable(
      `${directory} belongs to ${userName(uid) ?? `the user ${uid}`}, and root cannot switch to that user here. Run this as its owner`,
    );
  }
  const groups = process.getgroups?.() ?? [];
  setgroups([gid]);
  setegid(gid);
  seteuid(uid);
  try {
    return await work();
  } finally {
    seteuid(ROOT);
    setegid(ROOT);
    setgroups(groups);
  }
}

/** The user, other than root, who can redirect a path: the owner of any directory or link on it. */
function leaderOf(directory: string): { uid: number; gid: number } {
  const found = stepsTo(directory);
  const open = found.find((step) => isOpenStep(step, WRITABLE_BY_ALL));
  if (open)
    throw new DataDirectoryUnusable(`${open.path} is writable by all users. Run chmod o-w ${open.path}`);
  const owners = new Set(found.map(({ status }) => status.uid).filter((uid) => uid !== ROOT));
  if (owners.size > 1)
    throw new DataDirectoryUnusable(
      `the path ${directory} contains directories of several users. Run this as its owner, or use another path`,
    );
  const { uid, gid } =
    found.map(({ status }) => status).find((status) => status.uid !== ROOT) ?? statSync(directory);
  return { uid, gid };
}

const WRITABLE_BY_ALL = 0o002;

/**
 * Removes other users' access to the data directory and our files in it. A user who can read a database can lock it, and so
 * block the service.
 *
 * @returns the paths that were open to others
 */
export function closeToOthers(directory: string): string[] {
  const open = openToOthers(directory);
  for (const path of open) chmodSync(path, statSync(path).mode & ~OPEN_TO_OTHERS);
  return open;
}

/** What {@link closeToOthers} would close. */
export function openToOthers(directory: string): string[] {
  const owner = statSync(directory).uid;
  return ownPaths(directory).filter((path) => {
    const { uid, mode } = statSync(path);
    return uid === owner && (mode & OPEN_TO_OTHERS) !== 0;
  });
}

/** Our files in a directory that are readable by users other than their owner and group. */
export const openToAll = (directory: string): string[] =>
  ownPaths(directory).filter((path) => statSync(path).isFile() && (statSync(path).mode & OPEN_TO_ALL) !== 0);

/** Our files in a data directory with another owner than the directory. */
export function ofOtherOwners(directory: string): string[] {
  const owner = statSync(directory).uid;
  const backups = backupDirectory(directory);
  const paths = [...ownPaths(directory), ...(existsSync(backups) ? [backups] : [])];
  return paths.filter((path) => statSync(path).uid !== owner);
}

/** Of a running server; see control.ts. */
const CONTROL_SOCKET = 'redoubt.control';
/** All but the database and its key, which are checked separately. */
const SIDE_FILES = /^(?!redoubt[.]sqlite)(redoubt[.]|vulnerabilities[.-])/;
const OWN_FILES = /^(redoubt[.]|installation[.]|vulnerabilities[.-])/;

/**
 * Why this user cannot use the files of a data directory other than the database, for the operator: wrong mode, or a wrong type
 * of file.
 */
export function whyUnusable(directory: string): string[] {
  const folders = [signingDirectory(directory), backupDirectory(directory)];
  const found = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (folders.includes(path)) return [{ path, use: () => readdirSync(path) }];
    const isOurs = SIDE_FILES.test(entry.name) && entry.name !== CONTROL_SOCKET;
    return isOurs ? [{ path, use: () => closeSync(openPlainFile(path)) }] : [];
  });
  return found.flatMap(({ path, use }) => {
    try {
      use();
      return [];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return isDangling(path) ? [`${path} is a dangling link. Move it away`] : [];
      const isOfKind = ['EACCES', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO', NO_FILE].includes(String(code));
      return isOfKind ? [`cannot use ${path}: ${fileWords(Object.assign(error as Error, { path }))}`] : [];
    }
  });
}

const isDangling = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** The data directory and our files in it. */
function ownPaths(directory: string): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && OWN_FILES.test(entry.name))
    .map(({ name }) => join(directory, name));
  const signing = signingDirectory(directory);
  const hasSigning = entries.some((entry) => entry.isDirectory() && join(directory, entry.name) === signing);
  return [directory, ...files, ...(hasSigning ? [signing, ...filesIn(signing)] : [])];
}

const filesIn = (directory: string): string[] =>
  orUnusable(`cannot read ${directory}`, () => readdirSync(directory, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(directory, name));

function becomeUser(uid: number, gid: number): void {
  const { setgroups, setgid, setuid } = process;
  // Deno has no setgroups(2), and a process with root's groups has not become another user.
  if (!setgroups || !setgid || !setuid) throw new Error('this runtime cannot leave its groups');
  setgroups([gid]);
  setgid(gid);
  setuid(uid);
}
