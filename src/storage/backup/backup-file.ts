import { closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { AGE_MAGIC_BYTES, type Chunks, decryptBy, isAgeFile } from '../../lib/age-file.ts';
import { BLOCK_BYTES, tarHeaderIn } from '../../lib/tar.ts';
import { userName } from '../../lib/user-name.ts';
import { beginningOf, openOrdinaryFile } from '../signing/ordinary-file.ts';
import { BackupRefused } from './backup-refused.ts';
import { MANIFEST_FILE } from './manifest.ts';

const CHUNK_BYTES = 256 * 1024;
const TURN_BYTES = 64 * CHUNK_BYTES;

/** An open file that may be a backup. Later changes of its path have no effect. */
export interface BackupFile {
  readonly path: string;
  readonly bytes: number;
  readonly isEncrypted: boolean;
  /** Its bytes in order, decrypted if it is encrypted. */
  contents(): Promise<Chunks>;
  close(): void;
}

export interface OpenOptions {
  /** A data directory, which may be missing. Its owner's files are accepted, like those of root and of this user. */
  readonly dataDir?: string;
  /** Private keys of age for an encrypted backup; undefined = none were given. */
  readonly identities?: readonly string[] | undefined;
}

/**
 * Opens a regular file of root, of this user or of the owner of the data. Rejects links: the creator of a link chooses what is
 * read.
 *
 * @throws BackupRefused, Fault
 */
export function openBackupFile(path: string, { dataDir, identities }: OpenOptions = {}): BackupFile {
  const fd = openOrdinaryFile(path);
  try {
    const { uid, size } = fstatSync(fd);
    const owner = dataDir && statSync(dataDir, { throwIfNoEntry: false })?.uid;
    if (![0, process.geteuid?.(), owner].includes(uid)) {
      throw new BackupRefused(
        `it belongs to another user, ${userName(uid) ?? uid}. If you trust it, make your own copy`,
      );
    }
    const beginning = new Uint8Array(AGE_MAGIC_BYTES);
    readSync(fd, beginning, 0, beginning.length, 0);
    const isEncrypted = isAgeFile(beginning);
    return {
      path,
      bytes: size,
      isEncrypted,
      async contents() {
        const bytes = chunksOf(fd, size);
        if (!isEncrypted) return bytes;
        if (identities === undefined)
          throw new BackupRefused('it is encrypted. Name the file with your key: --age-identity FILE');
        return (await decryptBy(identities))(bytes);
      },
      close: () => closeSync(fd),
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Whether a file begins like a backup, encrypted or not. It may still be damaged. */
export function looksLikeBackup(path: string): boolean {
  const beginning = beginningOf(path, BLOCK_BYTES);
  return isAgeFile(beginning) || tarHeaderIn(beginning)?.name === MANIFEST_FILE;
}

async function* chunksOf(fd: number, bytes: number): Chunks {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let at = 0; at < bytes; ) {
    // Lets pending signals be handled.
    if (at % TURN_BYTES === 0) await setImmediate();
    const read = readSync(fd, buffer, 0, buffer.length, at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}
