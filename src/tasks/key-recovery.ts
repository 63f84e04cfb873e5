import type { Author } from '../domain/admin/author.ts';
import type { IssuerKeyFacts } from '../domain/credential/issuer-keys.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { DataDirectoryUnusable } from '../storage/engine/data-directory.ts';
import type { JobOutput } from '../storage/engine/jobs/jobs.ts';
import type { KeyFiles } from '../storage/signing/key-files.ts';

export interface RecoveryParts<Key> {
  /** What the keys sign, in words that follow "a key that signs". */
  readonly signs: string;
  readonly read: () => Promise<readonly IssuerKeyFacts[]>;
  readonly files: KeyFiles<Key>;
  /** Stores a key that signs from now on. */
  readonly add: (key: Key, now: number, by: Author) => Promise<JobOutput<'addSigningKey'> | Refusal>;
  /** Stores that a key was revoked. */
  readonly revoke: (kid: string, now: number, by: Author) => Promise<JobOutput<'revokeSigningKey'> | Refusal>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

const BY = {
  actor: 'system',
  reason: 'the key files are newer than the database: an older database was restored',
} as const;

/**
 * Reconciles the database with the key files, which are newer if an older database was restored: revoked keys stay revoked, and
 * keys created after the backup, whose private keys only this installation may have, are added again. Also marks the files of
 * keys that the database has revoked.
 *
 * @returns the IDs of keys whose files are marked as revoked
 * @throws DataDirectoryUnusable if the key files cannot be listed
 */
export async function recoverKeys<Key>(parts: RecoveryParts<Key>): Promise<readonly string[]> {
  const { signs, read, files, revoke, clock, log } = parts;
  const marked = files.marked();
  for (const { kid, revokedAt } of await read())
    if (revokedAt !== null) mark(kid, parts);
    else if (marked.includes(kid)) {
      const outcome = await revoke(kid, clock.now(), BY);
      const message = `a key that signs ${signs} was revoked; the database did not know it`;
      log.warn(message, { kid, failed: isRefusal(outcome) });
    }
  const known = (await read()).map(({ kid }) => kid);
  for (const kid of files.kept())
    if (marked.includes(kid)) mark(kid, parts);
    else if (!known.includes(kid)) await adopt(kid, parts);
  return marked;
}

function mark(kid: string, { files, log }: Pick<RecoveryParts<unknown>, 'files' | 'log'>): void {
  try {
    files.mark(kid);
  } catch (error) {
    log.warn('a revoked key could not be marked in the key files', { kid, reason: keyTroubleOf(error) });
  }
}

async function adopt<Key>(kid: string, { signs, files, add, clock, log }: RecoveryParts<Key>): Promise<void> {
  try {
    const outcome = await add(files.read(kid), clock.now(), BY);
    const message = `a key that signs ${signs} was added from its file; the database did not know it`;
    log.warn(message, { kid, failed: isRefusal(outcome) });
  } catch (error) {
    log.warn('a key that is not in the database cannot be read and is skipped', {
      kid,
      reason: keyTroubleOf(error),
    });
  }
}

/** Why a key could not be read or stored. Rethrows unexpected errors. */
export function keyTroubleOf(error: unknown): string {
  if (error instanceof Fault || error instanceof DataDirectoryUnusable) return error.message;
  throw error;
}
