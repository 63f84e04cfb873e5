import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import type { IssuerKeyFacts } from '../../domain/credential/issuer-keys.ts';
import {
  type Ed25519Key,
  KID_PATTERN,
  newEd25519Key,
  parseEd25519Key,
} from '../../domain/signing/ed25519-key.ts';
import { type KeyPurpose, PURPOSES } from '../../domain/signing/purposes.ts';
import { iso } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { auditJobs } from '../operators/audit.ts';
import { type KeyFiles, keyFiles } from './key-files.ts';
import { signingKeys } from './tables.ts';

/** The public half of a key, with its state. */
export interface StoredSigningKey extends IssuerKeyFacts, Pick<Ed25519Key, 'publicKey'> {
  readonly purpose: KeyPurpose;
}

/** A key that is to sign from a moment on. */
export interface AddedSigningKey
  extends Pick<StoredSigningKey, 'kid' | 'purpose' | 'publicKey' | 'activeFrom'> {
  /** Whether to add it only if its purpose has no key, for nodes that create one at the same time. */
  readonly isFirst?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly by: Author;
}

/** A key that is no longer trusted. */
export interface RevokedSigningKey extends Pick<StoredSigningKey, 'kid'> {
  readonly now: number;
  readonly by: Author;
}

/** The files of the keys of a purpose. */
export const signingKeyFiles = (keysDir: string, purpose: KeyPurpose): KeyFiles<Ed25519Key> =>
  keyFiles(keysDir, { purpose, kidPattern: KID_PATTERN, make: newEd25519Key, parse: parseEd25519Key });

export function signingKeyJobs(db: Database) {
  const { audit } = auditJobs(db);
  return {
    /**
     * Stores a key that will sign, or changes when a known one begins. Of two that begin at the same moment, the later call
     * wins.
     *
     * @returns whether it was wanted
     */
    async addSigningKey({
      kid,
      purpose,
      publicKey,
      activeFrom,
      isFirst,
      now,
      by,
    }: AddedSigningKey): Promise<boolean> {
      const ofPurpose = eq(signingKeys.purpose, purpose);
      const mayOtherSign = async () =>
        (
          await db
            .select()
            .from(signingKeys)
            .where(and(ofPurpose, isNull(signingKeys.revokedAt)))
            .all()
        ).length > 0;
      if (isFirst && (await mayOtherSign())) return false;
      await db
        .update(signingKeys)
        .set({ activeFrom: activeFrom - 1 })
        .where(and(ofPurpose, ne(signingKeys.kid, kid), eq(signingKeys.activeFrom, activeFrom)))
        .run();
      await db
        .insert(signingKeys)
        .values({ kid, purpose, publicKey, createdAt: now, activeFrom })
        .onConflictDoUpdate({ target: signingKeys.kid, set: { activeFrom } })
        .run();
      const after = { purpose, active_from: iso(activeFrom) };
      await audit({ at: now, ...by, action: 'signing-key.add', subject: kid, after });
      return true;
    },

    /** Keeps that a key was revoked. */
    revokeSigningKey: usesReserve(async ({ kid, now, by }: RevokedSigningKey): Promise<void> => {
      await db.update(signingKeys).set({ revokedAt: now }).where(eq(signingKeys.kid, kid)).run();
      const after = { revoked_at: iso(now) };
      await audit({ at: now, ...by, action: 'signing-key.revoke', subject: kid, after });
    }),
  };
}

/** Reads all past, current and future signing keys, of all purposes. */
export function readSigningKeys(db: Database): () => Promise<readonly StoredSigningKey[]> {
  const all = lazily(() => db.select().from(signingKeys).prepare());
  return async () =>
    (await all.all())
      // A newer node may have further purposes.
      .filter(({ purpose }) => purpose in PURPOSES)
      .map((key) => ({ ...key, lastExpiresAt: null, holdsMs: PURPOSES[key.purpose].holdsMs }));
}
