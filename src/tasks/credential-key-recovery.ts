import { isRefusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { CredentialKeyFiles } from '../storage/credential-key-files.ts';
import type { StoredKey } from '../storage/credential-keys.ts';
import { DataDirectoryUnusable } from '../storage/engine/data-directory.ts';
import type { Writer } from '../storage/engine/writer.ts';

export interface RecoveryParts {
  readonly read: () => Promise<readonly StoredKey[]>;
  readonly files: CredentialKeyFiles;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

const BY = {
  actor: 'system',
  reason: 'files beside the database know more than it: an older one was put back',
} as const;

/**
 * Brings what the files beside the database tell of keys into it, and marks what it has revoked. They know more than an older
 * database that was put back: what was revoked stays revoked, and what was made since, of which only this installation can have the
 * private half, is known again.
 *
 * @returns the names of the keys that are marked as revoked
 * @throws DataDirectoryUnusable when the files cannot be listed
 */
export async function recoverCredentialKeys(parts: RecoveryParts): Promise<readonly string[]> {
  const { read, files, writer, clock, log } = parts;
  const marked = files.marked();
  for (const { kid, revokedAt } of await read())
    if (revokedAt !== null) mark(kid, parts);
    else if (marked.includes(kid)) {
      const outcome = await writer.write('revokeCredentialKey', { kid, now: clock.now(), by: BY });
      const message = 'a key that signs credentials was revoked, which the database did not know';
      log.warn(message, { kid, failed: isRefusal(outcome) });
    }
  const known = (await read()).map(({ kid }) => kid);
  for (const kid of files.kept())
    if (marked.includes(kid)) mark(kid, parts);
    else if (!known.includes(kid)) await adopt(kid, parts);
  return marked;
}

function mark(kid: string, { files, log }: RecoveryParts): void {
  try {
    files.mark(kid);
  } catch (error) {
    log.warn('a revoked key could not be marked beside the database', { kid, reason: reasonOf(error) });
  }
}

async function adopt(kid: string, { files, writer, clock, log }: RecoveryParts): Promise<void> {
  try {
    const { jwk } = files.read(kid);
    const now = clock.now();
    const outcome = await writer.write('addCredentialKey', { kid, jwk, activeFrom: now, now, by: BY });
    const message = 'a key that signs credentials is kept here, which the database did not know';
    log.warn(message, { kid, failed: isRefusal(outcome) });
  } catch (error) {
    log.warn('a key that no database knows cannot be read, and is passed over', {
      kid,
      reason: reasonOf(error),
    });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Fault || error instanceof DataDirectoryUnusable) return error.message;
  throw error;
}
