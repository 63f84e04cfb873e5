import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { PACKAGED_EXECUTABLE } from '../../domain/release/places.ts';
import { type InstalledRelease, serialOf, successionOf } from '../../domain/release/succession.ts';
import { Fault } from '../../lib/fault.ts';
import { flush } from '../../lib/lay-file.ts';
import { RELEASE_KEYS } from '../../runtime/release-keys.ts';
import { wordsFor } from '../../storage/engine/trouble.ts';
import { beginningOf, openOrdinaryFile } from '../../storage/signing/ordinary-file.ts';
import { signedReleaseAt, type VerifiedRelease, verifyRelease } from '../verify-release.ts';
import type { Installed } from './installed.ts';
import { askVersion, type Told } from './run-release.ts';

/** A release next to the installed executable, where only the owner can change it. */
export interface StagedRelease {
  readonly release: VerifiedRelease;
  readonly succession: ReturnType<typeof successionOf>;
  /** The executable, on the same disk as the installed one. */
  readonly executable: string;
  /** The package that it comes in; undefined where it comes alone. */
  readonly package: string | undefined;
  readonly told: Told;
  remove(): void;
}

const CHUNK_BYTES = 2 ** 20;
const PLATFORM = `linux-${process.arch}`;

/**
 * Copies a release next to the installed executable, checks that it is ours and may follow, and asks it for its version. The copy is
 * verified, because a second read from a stick or another user's folder may return other content.
 *
 * @throws Fault, whose message says of the file what to do; nothing is left then
 */
export function stageRelease(file: string, installed: Installed): StagedRelease {
  const release = signedReleaseAt(file, RELEASE_KEYS, Date.now());
  const succession = successionOf(release, installed.running, PLATFORM);
  const folder = makeFolder(installed);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'release');
    for (const ending of ['', '.minisig']) copyOrdinary(file + ending, copy + ending);
    const verified = verifyRelease(copy, RELEASE_KEYS, Date.now());
    if (verified.serial !== release.serial) throw new Fault('it was replaced in the meantime. Try again');
    const isPackage = holdsPackage(copy, installed);
    const executable = isPackage ? unpacked(copy, join(folder, 'files')) : copy;
    chmodSync(executable, statSync(installed.path).mode & 0o777);
    flush(executable);
    const told = askVersion(executable);
    refuseOther(told, release);
    return { release, succession, executable, package: isPackage ? copy : undefined, told, remove };
  } catch (error) {
    remove();
    throw error instanceof Fault ? error : new Fault(`cannot copy it to ${folder}: ${wordsFor(error)}`);
  }
}

/** In place of what a killed process has left: no other update is under way. */
function makeFolder({ path }: Installed): string {
  const folder = `${path}.update`;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch (error) {
    throw new Fault(`cannot create ${folder}: ${wordsFor(error)}`);
  }
}

/** Copies no more than the file's initial size, even while another process writes to it. */
function copyOrdinary(from: string, to: string): void {
  const [source, target] = [openOrdinaryFile(from), openSync(to, 'wx', 0o600)];
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let [at, { size }] = [0, fstatSync(source)]; at < size; ) {
      const read = readSync(source, chunk, 0, Math.min(chunk.length, size - at), at);
      if (read === 0) return;
      writeSync(target, chunk, 0, read);
      at += read;
    }
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

const EXECUTABLE_MAGIC = Buffer.from('\x7fELF');
const PACKAGE_MAGIC = Buffer.from('!<arch>\n');

/** Whether it is a package, which only dpkg puts in the place of a package. */
function holdsPackage(path: string, { isPackaged }: Installed): boolean {
  const head = beginningOf(path, PACKAGE_MAGIC.length);
  if (PACKAGE_MAGIC.equals(head)) {
    if (isPackaged) return true;
    throw new Fault('it is a Debian package, but this redoubt was installed without one. Use the executable');
  }
  if (!EXECUTABLE_MAGIC.equals(head.subarray(0, EXECUTABLE_MAGIC.length)))
    throw new Fault('it is neither an executable nor a Debian package. Use one of these from the release');
  if (isPackaged)
    throw new Fault(
      'it is only the executable, but this redoubt was installed as a Debian package. Use the .deb file',
    );
  return false;
}

function unpacked(path: string, folder: string): string {
  const { status, error } = spawnSync('dpkg-deb', ['-x', path, folder], { stdio: 'ignore' });
  if (status !== 0) throw new Fault(`dpkg-deb cannot unpack it (${error ? wordsFor(error) : status})`);
  return join(folder, PACKAGED_EXECUTABLE);
}

/** What was signed is a name for what is inside: both have to be of one release. */
function refuseOther({ version, built_at }: Told, signed: InstalledRelease): void {
  if (version === signed.version && serialOf(built_at) === signed.serial) return;
  throw new Fault(
    `it reports to be redoubt ${version}, built ${built_at ?? 'without git'}, but its signature is for ${signed.version}. Do not use it`,
  );
}
