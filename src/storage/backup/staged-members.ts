import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { iso } from '../../lib/clock.ts';
import { COMMIT, VERSION } from '../../lib/version.ts';
import { orUnusable } from '../engine/data-directory.ts';
import type { Database } from '../engine/database.ts';
import { wordsFor } from '../engine/trouble.ts';
import { signingDirectory } from '../signing/signing-directory.ts';
import { readMirrorState } from '../vulnerabilities/mirror-state.ts';
import { BackupRefused } from './backup-refused.ts';
import { isMemberName, type NewManifest, SIGNING_FOLDER } from './manifest.ts';

// The parts of every backup, with either engine.

const SIGNING_BYTES_MAX = 256 * 1024 * 1024;
/** The signed head of the evidence logs; it is not a key. */
export const EVIDENCE_HEAD = 'evidence.head';

export interface StagedMember {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Its bytes, in pieces that are valid until the next. */
  chunks(): Iterable<Uint8Array>;
}

/** The fields that every manifest has. */
export async function madeNow(
  db: Database,
  now: number,
): Promise<Pick<NewManifest, 'created_at' | 'version' | 'commit' | 'mirror'>> {
  const { current, kept } = await readMirrorState(db)();
  return {
    created_at: iso(now),
    version: VERSION,
    commit: COMMIT,
    mirror: { current, kept: kept.map(({ id, importedAt }) => ({ id, imported_at: iso(importedAt) })) },
  };
}

/** A small member, in memory. */
export function ofBytes(name: string, bytes: Uint8Array): StagedMember {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, bytes: bytes.length, sha256, chunks: () => [bytes] };
}

/** The signing keys and their marks, by their names in a backup. */
export function signingFiles(keysDir: string, isWanted: (name: string) => boolean): StagedMember[] {
  const directory = signingDirectory(keysDir);
  return namesIn(directory).flatMap((name) => {
    if (!isMemberName(SIGNING_FOLDER + name) || !isWanted(name)) return [];
    const path = join(directory, name);
    try {
      const { size } = statSync(path);
      if (size > SIGNING_BYTES_MAX) throw new BackupRefused(`${path} is too large for a key. Move it away`);
      return [ofBytes(SIGNING_FOLDER + name, readFileSync(path))];
    } catch (error) {
      // The server has removed it in the meantime.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      if (error instanceof BackupRefused) throw error;
      throw new BackupRefused(`cannot read ${path}: ${wordsFor(error)}`);
    }
  });
}

/** Files that could not be restored, such as an editor's copy. */
export const leftOutOf = (keysDir: string): string[] =>
  namesIn(signingDirectory(keysDir))
    .filter((name) => !isMemberName(SIGNING_FOLDER + name))
    .map((name) => join(signingDirectory(keysDir), name));

/** The names of files and of links to files; excludes unfinished files. */
function namesIn(directory: string): string[] {
  const isFile = (name: string) => statSync(join(directory, name), { throwIfNoEntry: false })?.isFile();
  if (!existsSync(directory)) return [];
  return orUnusable(`cannot read ${directory}`, () => readdirSync(directory)).filter(
    (name) => !name.endsWith('.partial') && isFile(name),
  );
}
