import { hash } from 'node:crypto';
import { and, asc, eq, gt, isNull, lt, ne, sql } from 'drizzle-orm';
import type { RevocationReason } from '../../domain/credential/credential.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import { iso } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Database } from '../engine/database.ts';
import { reactionPoint } from '../engine/jobs/reactions.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { evidenceEntries } from '../evidence/evidence-entries.ts';
import { dailyUsageJobs } from '../licenses/daily-usage.ts';
import { prepareIsRegistered } from '../licenses/registered-domains.ts';
import { licenses } from '../licenses/tables.ts';
import { CREDENTIALS, type Credential, prepareSameCredential, type SignedCredential } from './credentials.ts';
import { PLACES_TAKEN_MAX, prepareOpenList } from './status-lists.ts';
import { credentialKeys, credentials, statusLists } from './tables.ts';

/** Which credentials are revoked immediately, and why. */
export interface CredentialsRevocation {
  readonly licenseId: number;
  /** Normalized; null = all of the license. */
  readonly domain: string | null;
  readonly reason: RevocationReason;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Credentials of one license were revoked together, at least one. */
export const credentialsRevoked = reactionPoint<
  CredentialsRevocation & { readonly publicIds: readonly string[] }
>();

const RETENTION_CHUNK_CREDENTIALS = 500;

export const credentialJobs = perDatabase((db: Database) => {
  const { keepEvidence, siteIdOf } = evidenceEntries(db);
  const { spendDailyUse } = dailyUsageJobs(db);
  const react = credentialsRevoked.of(db);
  const same = prepareSameCredential(db);
  const openList = prepareOpenList(db);
  const holder = lazily(() =>
    db
      .select({ id: licenses.id })
      .from(licenses)
      .where(and(eq(licenses.id, sql.placeholder('licenseId')), isNull(licenses.revokedAt)))
      .prepare(),
  );
  const isRegistered = prepareIsRegistered(db);
  const soundKey = lazily(() =>
    db
      .select({ kid: credentialKeys.kid })
      .from(credentialKeys)
      .where(and(eq(credentialKeys.kid, sql.placeholder('kid')), isNull(credentialKeys.revokedAt)))
      .prepare(),
  );
  const takePlace = lazily(() =>
    db
      .update(statusLists)
      .set({ taken: sql`${statusLists.taken} + 1` })
      .where(
        and(
          eq(statusLists.id, sql.placeholder('listId')),
          eq(statusLists.issuer, sql.placeholder('issuer')),
          lt(statusLists.taken, PLACES_TAKEN_MAX),
        ),
      )
      .prepare(),
  );
  const siteIdOfDomain = async (licenseId: number, domain: string | null): Promise<string | null> =>
    domain === null ? null : siteIdOf(licenseId, domain);

  // Prepared, because building it each time costs a third of issuing.
  const place = prepare<{ id: number }>(
    db,
    'select id from credentials where list_id = :listId and list_index = :listIndex',
  );
  const insert = prepare<{ id: number }>(
    db,
    `
    insert into credentials (public_id, license_id, type, domain, basis, kid, list_id, list_index, token, issued_at, expires_at)
      values (:publicId, :licenseId, :type, :domain, :basis, :kid, :listId, :listIndex, :token, :issuedAt, :expiresAt)
      returning id
    `,
  );

  const keep = async ({ issuer: _, dailyCap: __, now, ...row }: SignedCredential): Promise<Credential> => {
    const { licenseId, type, domain, publicId, kid, token, issuedAt, expiresAt } = row;
    const kept = await insert.get(row);
    if (kept === undefined) throw new Fault('a credential could not be stored');
    const siteId = await siteIdOfDomain(licenseId, domain);
    await keepEvidence({
      licenseId,
      type: 'credential_issued',
      at: now,
      siteId,
      data: {
        credential_id: publicId,
        credential_type: type,
        kid,
        expires_at: iso(expiresAt),
        token_sha256: hash('sha256', token, 'base64url'),
      },
    });
    const issued = { id: kept.id, publicId, type, siteId, token, issuedAt, expiresAt };
    return { ...issued, revokedAt: null, revocationReason: null, keyRevokedAt: null };
  };

  const revoke = async (
    condition: ReturnType<typeof and>,
    reason: RevocationReason,
    now: number,
  ): Promise<void> => {
    const revoked = await db
      .update(credentials)
      .set({ revokedAt: now, revocationReason: reason })
      .where(and(isNull(credentials.revokedAt), condition))
      .returning({
        publicId: credentials.publicId,
        licenseId: credentials.licenseId,
        domain: credentials.domain,
      })
      .all();
    for (const { publicId, licenseId, domain } of revoked) {
      const [siteId, data] = [await siteIdOfDomain(licenseId, domain), { credential_id: publicId, reason }];
      await keepEvidence({ licenseId, type: 'credential_revoked', at: now, siteId, data });
    }
    const [first] = revoked;
    if (first === undefined) return;
    const publicIds = revoked.map(({ publicId }) => publicId);
    await react({ licenseId: first.licenseId, domain: domainOfAll(revoked), reason, now, publicIds });
  };

  return {
    /** Returns the list of an issuer with free places; creates one if there is none. */
    async openStatusList({ issuer, now }: { issuer: string; now: number }): Promise<number> {
      const open = await openList.get({ issuer });
      if (open !== undefined) return open.id;
      const begun = db.insert(statusLists).values({ issuer, createdAt: now });
      return (await begun.returning({ id: statusLists.id }).get()).id;
    },

    /**
     * Stores a credential, or returns an existing one for the same subject and basis.
     *
     * @returns undefined when its place was taken, or its key revoked, after it was signed: sign another one
     */
    async issueCredential(wanted: SignedCredential): Promise<Credential | Refusal | undefined> {
      const { licenseId, domain, issuer, kid, listId, listIndex, dailyCap, now } = wanted;
      // Both may have happened since the route checked, and would not revoke a later credential.
      if ((await holder.get({ licenseId })) === undefined) return licenseRevoked();
      if (domain !== null && !(await isRegistered(licenseId, domain))) return domainGivenUp();
      const before = await same(wanted);
      if (before !== undefined) return before;
      if ((await soundKey.get({ kid })) === undefined || (await place.get({ listId, listIndex })))
        return undefined;
      if ((await takePlace.run({ listId, issuer })).changes === 0) return undefined;
      const used = await spendDailyUse({ licenseId, route: CREDENTIALS, dailyCap, now });
      if (used !== undefined) return used;
      return keep(wanted);
    },

    /** Revokes a credential of a license; for one that was revoked already, the first moment and reason stay. */
    revokeCredential: usesReserve(
      async ({
        licenseId,
        publicId,
        reason,
        now,
      }: Omit<CredentialsRevocation, 'domain'> & { publicId: string }): Promise<void> => {
        await revoke(
          and(eq(credentials.licenseId, licenseId), eq(credentials.publicId, publicId)),
          reason,
          now,
        );
      },
    ),

    /**
     * Revokes a license's credentials, or those of one of its domains, that have not expired. Runs in the transaction that
     * makes them untrue.
     */
    async revokeCredentialsOf({ licenseId, domain, reason, now }: CredentialsRevocation): Promise<void> {
      await revoke(
        and(
          eq(credentials.licenseId, licenseId),
          domain === null ? undefined : eq(credentials.domain, domain),
          gt(credentials.expiresAt, now),
        ),
        reason,
        now,
      );
    },

    /**
     * Deletes the content of credentials that expired before a moment, a bounded number at a time. Their rows stay, because a
     * place is never used again.
     *
     * @returns how many; 0 = none left
     */
    forgetCredentials: ofRetention(
      (terms) => ({ expiredBefore: retainedFrom(terms) }),
      async ({ expiredBefore }: { expiredBefore: number }): Promise<number> => {
        // Through the keys: an index has the first expiry of each.
        const oldest = db
          .select({ id: credentials.id })
          .from(credentialKeys)
          .innerJoin(credentials, eq(credentials.kid, credentialKeys.kid))
          .where(and(lt(credentials.expiresAt, expiredBefore), ne(credentials.token, '')))
          .orderBy(asc(credentials.expiresAt))
          .limit(RETENTION_CHUNK_CREDENTIALS);
        const { changes } = await db
          .update(credentials)
          .set({ token: '' })
          .where(sql`${credentials.id} in (${oldest})`)
          .run();
        return Number(changes);
      },
    ),
  };
});

/** Null for credentials of several domains, or of none. */
const domainOfAll = (revoked: readonly { readonly domain: string | null }[]): string | null => {
  const [domain = null, ...others] = new Set(revoked.map((each) => each.domain));
  return others.length === 0 ? domain : null;
};

const licenseRevoked = () => refuse('INVALID_KEY', 'This API key is not valid.');
const domainGivenUp = () => refuse('DOMAIN_NOT_VERIFIED', 'The domain was released during this request.');
