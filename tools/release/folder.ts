import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ReleaseTarget, releaseComment, releaseOf } from '../../src/domain/release/release.ts';
import { Fault } from '../../src/lib/fault.ts';
import { MINISIGN_HASH, type MinisignSigner, signMinisign } from '../../src/lib/minisign.ts';
import { writeBytes } from '../../src/lib/write-all.ts';
import { type Packed, tarOf } from './archive.ts';

/** The folder that a release is made in. */
export interface ReleaseFolder {
  /** Lays a file, at a path in the folder. */
  lay(file: Packed): void;
  /** The SHA-256 of every file that is there, in hex, in the order of their paths. */
  sums(): readonly Sum[];
  /** Lays the sums of all files that are there. */
  laySums(): void;
  /** Lays a signature beside a file; nothing without a key. */
  sign(path: string, target: ReleaseTarget): void;
  /** Packs files into a tar of this name. */
  pack(name: string, files: Iterable<Packed>): void;
  /** Packs all that is there into one tar, in a folder of this name. */
  packAll(name: string): void;
  /** Puts it in place of the release before. Until then it is beside that, so that no half of one is taken for a whole. */
  finish(): void;
}

/** The SHA-256 of a file, in hex. */
export interface Sum {
  readonly path: string;
  readonly sha256: string;
}

const SUMS = 'SHA256SUMS';
const SIGNATURE = '.minisig';

/**
 * @param place where the release goes
 * @param committedAt in milliseconds since the Unix epoch; whatever is packed is of this moment
 * @throws Fault when something else than a release is there
 */
export function makeFolder(
  place: string,
  version: string,
  committedAt: number,
  signer: MinisignSigner | undefined,
): ReleaseFolder {
  if (existsSync(place) && !existsSync(join(place, SUMS)))
    throw new Fault(`${place} is no release: name another folder, or remove it`);
  const folder = `${place}.partial`;
  rmSync(folder, { recursive: true, force: true });
  const read = (path: string): Packed => {
    const bytes = readFileSync(join(folder, path));
    return { path, bytes, isProgram: path.startsWith('redoubt-') && bytes.subarray(0, 4).equals(ELF) };
  };
  const lay = ({ path, bytes, isProgram }: Packed) => {
    const at = join(folder, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes);
    // Whatever the umask of who makes it.
    chmodSync(at, isProgram ? 0o755 : 0o644);
  };
  const sums = (): Sum[] => filesIn(folder).map((path) => ({ path, sha256: sha256(read(path).bytes) }));
  const pack = (name: string, files: Iterable<Packed>, before: string) => {
    const at = join(folder, `${name}.tar`);
    const to = openSync(at, 'w');
    try {
      // One file at a time: together they are larger than what many hosts have of memory.
      for (const piece of tarOf(files, Math.floor(committedAt / 1_000), before)) writeBytes(to, piece);
    } finally {
      closeSync(to);
    }
    chmodSync(at, 0o644);
  };
  return {
    lay,
    sums,
    laySums() {
      const text = sums().map(({ path, sha256: hash }) => `${hash}  ${path}\n`);
      lay({ path: SUMS, bytes: Buffer.from(text.join('')) });
    },
    sign(path, target) {
      if (signer === undefined) return;
      const hash = createHash(MINISIGN_HASH).update(read(path).bytes).digest();
      const comment = releaseComment(releaseOf(version, committedAt, target));
      lay({ path: `${path}${SIGNATURE}`, bytes: Buffer.from(signMinisign(hash, signer, comment)) });
    },
    pack: (name, files) => pack(name, files, ''),
    packAll: (name) => pack(name, eachOf(filesIn(folder), read), `${name}/`),
    finish() {
      rmSync(place, { recursive: true, force: true });
      renameSync(folder, place);
    },
  };
}

const ELF = Buffer.from('\x7fELF');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** In an order that no locale changes. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();

function* eachOf(paths: readonly string[], read: (path: string) => Packed): Generator<Packed> {
  for (const path of paths) yield read(path);
}
