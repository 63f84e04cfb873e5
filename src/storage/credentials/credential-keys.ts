import { and, eq, gt, gte, isNull, max, ne, sql } from 'drizzle-orm';
import type { Author } from '../../domain/admin/author.ts';
import type { IssuerKeyFacts } from '../../domain/credential/issuer-keys.ts';
import { iso } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import type { Row } from '../engine/table.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import { auditJobs } from '../operators/audit.ts';
import { credentialKeys, credentials } from './tables.ts';

/** The public half of a key that signs credentials, with its state. */
export type StoredKey = IssuerKeyFacts & Row<typeof credentialKeys>;

/** A key that is to sign from a moment on. */
export interface AddedKey extends Pick<StoredKey, 'kid' | 'jwk' | 'activeFrom'> {
  /** Whether to cancel the keys scheduled after it. */
  readonly isLast?: boolean;
  /** Whether to add it only if there is no other key, for nodes that create one at the same time. */
  readonly isFirst?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly by: Author;
}

/** A key that is no longer trusted. */
export interface RevokedKey extends Pick<StoredKey, 'kid'> {
  readonly now: number;
  readonly by: Author;
}

export function credentialKeyJobs(db: Database) {
  const { audit } = auditJobs(db);
  const { keepEvidence } = evidenceEntries(db);
  const holdersOf = lazily(() =>
    db
      .selectDistinct({ licenseId: credentials.licenseId })
      .from(credentials)
      .where(
        and(
          eq(credentials.kid, sql.placeholder('kid')),
          gt(credentials.expiresAt, sql.placeholder('now')),
          isNull(credentials.revokedAt),
        ),
      )
      .prepare(),
  );
  const unrevoked = lazily(() =>
    db
      .select({ kid: credentialKeys.kid })
      .from(credentialKeys)
      .where(isNull(credentialKeys.revokedAt))
      .limit(1)
      .prepare(),
  );
  return {
    /**
     * Stores a key that will sign, or changes when a known one begins. Of two that begin at the same moment, the later call
     * wins.
     *
     * @returns whether it was wanted
     */
    async addCredentialKey({ kid, jwk, activeFrom, isLast, isFirst, now, by }: AddedKey): Promise<boolean> {
      if (isFirst && (await unrevoked.get()) !== undefined) return false;
      const from = credentialKeys.activeFrom;
      await db
        .update(credentialKeys)
        .set({ activeFrom: activeFrom - 1 })
        .where(and(ne(credentialKeys.kid, kid), isLast ? gte(from, activeFrom) : eq(from, activeFrom)))
        .run();
      await db
        .insert(credentialKeys)
        .values({ kid, jwk, createdAt: now, activeFrom })
        .onConflictDoUpdate({ target: credentialKeys.kid, set: { activeFrom } })
        .run();
      const after = { active_from: iso(activeFrom) };
      await audit({ at: now, ...by, action: 'credential-key.add', subject: kid, after });
      return true;
    },

    /** Stores that a key was revoked, and with it all credentials that it signed; their holders' logs report it. */
    revokeCredentialKey: usesReserve(async ({ kid, now, by }: RevokedKey): Promise<void> => {
      await db.update(credentialKeys).set({ revokedAt: now }).where(eq(credentialKeys.kid, kid)).run();
      const after = { revoked_at: iso(now) };
      await audit({ at: now, ...by, action: 'credential-key.revoke', subject: kid, after });
      const data = { signs: 'credentials', kid, revoked: true };
      for (const { licenseId } of await holdersOf.all({ kid, now }))
        await keepEvidence({ licenseId, type: 'key_changed', at: now, siteId: null, data });
    }),
  };
}

/** Reads all past, current and future signing keys. */
export function readCredentialKeys(db: Database): () => Promise<readonly StoredKey[]> {
  const all = lazily(() => db.select().from(credentialKeys).prepare());
  // A separate query, so that it is one index lookup for any number of credentials.
  const last = lazily(() =>
    db
      .select({ at: max(credentials.expiresAt) })
      .from(credentials)
      .where(eq(credentials.kid, sql.placeholder('kid')))
      .prepare(),
  );
  const withLast = async (key: typeof credentialKeys.$inferSelect): Promise<StoredKey> => ({
    ...key,
    lastExpiresAt: (await last.get({ kid: key.kid }))?.at ?? null,
  });
  return async () => Promise.all((await all.all()).map(withLast));
}
