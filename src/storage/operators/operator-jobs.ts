import { and, desc, eq, isNotNull, isNull, lte, ne, notInArray } from 'drizzle-orm';
import type { Role } from '../../domain/admin/operator.ts';
import { SESSION_MS } from '../../domain/admin/operator.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention } from '../engine/retention.ts';
import type { Row } from '../engine/table.ts';
import { type OidcIdentity, prepareSession, type SessionTimes } from './operators.ts';
import { operatorSessions, operators } from './tables.ts';

/** Limit for one operator, separately for those that wait for a code; the oldest are removed. */
const SESSIONS_OF_OPERATOR = 20;

export interface OperatorLink {
  readonly linkHash: string;
  readonly linkExpiresAt: number;
}

export interface NewPassword {
  readonly id: number;
  readonly passwordHash: string;
  /** Of the link that was used. */
  readonly linkHash: string;
}

export interface NewSession
  extends Pick<Row<typeof operatorSessions>, 'operatorId' | 'tokenHash' | 'awaitsCode'> {
  /** Of the entered password. */
  readonly passwordHash: string;
  readonly now: number;
}

/** The session that replaces one that waited for a code. */
export interface EnteredSession extends SessionTimes {
  readonly waitingHash: string;
  readonly tokenHash: string;
}

/** A session of a person who has signed in at an identity provider. */
export interface IdentitySession
  extends OidcIdentity,
    Pick<Row<typeof operatorSessions>, 'tokenHash' | 'confirmedAt' | 'endsAt'> {
  readonly now: number;
  /** The session of the same person that it replaces, by the hash of its token. */
  readonly replaces?: string | undefined;
}

/** A session that gets a new token. */
export interface RenewedSession {
  readonly tokenHash: string;
  readonly renewedHash: string;
}

/** The session of an act. */
export interface RequiredSession extends SessionTimes {
  readonly tokenHash: string;
  /** One of these is required. */
  readonly roles: readonly Role[];
}

const sessionEnded = (): Refusal =>
  refuse('ROLE_REQUIRED', 'Your session has ended or your role has changed. Sign in again.');

export function operatorJobs(db: Database) {
  const bySession = prepareSession(db);
  const byWaiting = prepareSession(db, true);
  const change = async (id: number, facts: Partial<typeof operators.$inferInsert>): Promise<void> => {
    await db.update(operators).set(facts).where(eq(operators.id, id)).run();
  };
  const endSessions = async (operatorId: number, but = ''): Promise<void> => {
    const others = and(eq(operatorSessions.operatorId, operatorId), ne(operatorSessions.tokenHash, but));
    await db.delete(operatorSessions).where(others).run();
  };
  const renew = async (
    { tokenHash, renewedHash }: RenewedSession,
    facts: { confirmedAt?: number } = {},
  ): Promise<Refusal | undefined> => {
    const { changes } = await db
      .update(operatorSessions)
      .set({ ...facts, tokenHash: renewedHash })
      .where(and(eq(operatorSessions.tokenHash, tokenHash), eq(operatorSessions.awaitsCode, false)))
      .run();
    return Number(changes) > 0 ? undefined : sessionEnded();
  };
  const start = async (session: typeof operatorSessions.$inferInsert & { awaitsCode: boolean }) => {
    const { operatorId, tokenHash, awaitsCode } = session;
    await db.insert(operatorSessions).values(session).run();
    const others = and(
      eq(operatorSessions.operatorId, operatorId),
      eq(operatorSessions.awaitsCode, awaitsCode),
      ne(operatorSessions.tokenHash, tokenHash),
    );
    const newest = db
      .select({ tokenHash: operatorSessions.tokenHash })
      .from(operatorSessions)
      .where(others)
      .orderBy(desc(operatorSessions.startedAt))
      .limit(SESSIONS_OF_OPERATOR - 1);
    await db
      .delete(operatorSessions)
      .where(and(others, notInArray(operatorSessions.tokenHash, newest)))
      .run();
  };
  const endSession = async ({ tokenHash }: { tokenHash: string }): Promise<void> => {
    await db.delete(operatorSessions).where(eq(operatorSessions.tokenHash, tokenHash)).run();
  };

  return {
    async addOperator(
      operator: { name: string; role: Role; createdAt: number } & OperatorLink,
    ): Promise<void> {
      await db.insert(operators).values(operator).run();
    },

    /** Stores a new link for choosing a password; replaces an earlier one. */
    async linkOperator({ id, ...link }: { id: number } & OperatorLink): Promise<void> {
      await change(id, link);
    },

    /** Changes an operator's role and ends every session: a higher role needs a new token. */
    async setOperatorRole({ id, role }: { id: number; role: Role }): Promise<void> {
      await change(id, { role });
      await endSessions(id);
    },

    /** Sets a password at a link, which works once, and ends every session. */
    async setOperatorPassword({ id, passwordHash, linkHash }: NewPassword): Promise<Refusal | undefined> {
      const { changes } = await db
        .update(operators)
        .set({ passwordHash, linkHash: null, linkExpiresAt: null })
        .where(and(eq(operators.id, id), eq(operators.linkHash, linkHash)))
        .run();
      if (Number(changes) === 0) return refuse('NOT_FOUND', 'This link has expired or was already used.');
      await endSessions(id);
      return undefined;
    },

    /** Sets a password that a signed-in operator has chosen; revokes the link. */
    async changeOperatorPassword({
      id,
      passwordHash,
    }: Pick<NewPassword, 'id' | 'passwordHash'>): Promise<void> {
      await change(id, { passwordHash, linkHash: null, linkExpiresAt: null });
    },

    /** Disables an operator, which ends every session and revokes the link; or enables one (null). */
    async setOperatorDisabled({ id, disabledAt }: { id: number; disabledAt: number | null }): Promise<void> {
      await change(id, { disabledAt, linkHash: null, linkExpiresAt: null });
      await endSessions(id);
    },

    /** Starts a session, if the entered password is still current, the operator enabled, and the second factor unchanged. */
    async startSession({
      operatorId,
      tokenHash,
      passwordHash,
      awaitsCode,
      now,
    }: NewSession): Promise<Refusal | undefined> {
      const isRight = and(
        eq(operators.id, operatorId),
        eq(operators.passwordHash, passwordHash),
        isNull(operators.disabledAt),
        awaitsCode ? isNotNull(operators.totpConfirmedAt) : isNull(operators.totpConfirmedAt),
      );
      if ((await db.select({ id: operators.id }).from(operators).where(isRight).get()) === undefined)
        return refuse('UNAUTHORIZED', 'Wrong name or password.');
      await start({ operatorId, tokenHash, startedAt: now, confirmedAt: now, awaitsCode });
      if (!awaitsCode) await change(operatorId, { signedInAt: now });
      return undefined;
    },

    /** Replaces a session that waited for a code. */
    async enterSession({
      waitingHash,
      startedAfter,
      tokenHash,
      now,
    }: EnteredSession): Promise<Refusal | undefined> {
      const waiting = await byWaiting.get({ tokenHash: waitingHash, startedAfter, now });
      if (waiting === undefined) return refuse('ROLE_REQUIRED', 'This took too long. Sign in again.');
      const { operator, confirmedAt } = waiting;
      await endSession({ tokenHash: waitingHash });
      await start({ operatorId: operator.id, tokenHash, startedAt: now, confirmedAt, awaitsCode: false });
      await change(operator.id, { signedInAt: now });
      return undefined;
    },

    /** Adds an operator who signs in at an identity provider. */
    async addIdentity(
      operator: { name: string; role: Role; createdAt: number } & OidcIdentity,
    ): Promise<void> {
      await db.insert(operators).values(operator).run();
    },

    /** Starts a session of such an operator, unless disabled; the one that it replaces must still exist. */
    async startIdentitySession(session: IdentitySession): Promise<Refusal | undefined> {
      const { oidcIssuer, oidcSubject, replaces, now, ...started } = session;
      const isRight = and(
        eq(operators.oidcIssuer, oidcIssuer),
        eq(operators.oidcSubject, oidcSubject),
        isNull(operators.disabledAt),
      );
      const found = await db.select({ id: operators.id }).from(operators).where(isRight).get();
      if (found === undefined) return sessionEnded();
      if (replaces !== undefined) {
        const isReplaced = and(
          eq(operatorSessions.tokenHash, replaces),
          eq(operatorSessions.operatorId, found.id),
        );
        const { changes } = await db.delete(operatorSessions).where(isReplaced).run();
        if (Number(changes) === 0) return sessionEnded();
      }
      await start({ operatorId: found.id, ...started, startedAt: now, awaitsCode: false });
      await change(found.id, { signedInAt: now });
      return undefined;
    },

    renewSession: renew,

    /** Ends every session of an operator except one. */
    endSessions: usesReserve(
      async ({ operatorId, but }: { operatorId: number; but?: string }): Promise<void> => {
        await endSessions(operatorId, but);
      },
    ),

    /** Refuses the act of a session that has ended in the meantime, or whose operator has another role. */
    async requireSession({ roles, ...session }: RequiredSession): Promise<Refusal | undefined> {
      const operator = (await bySession.get({ ...session }))?.operator;
      return operator !== undefined && roles.includes(operator.role) ? undefined : sessionEnded();
    },

    /** Records that the password was entered again; the session gets a new token. */
    confirmSession: usesReserve(async ({ now, ...tokens }: RenewedSession & { now: number }) =>
      renew(tokens, { confirmedAt: now }),
    ),

    endSession: usesReserve(endSession),

    /** Deletes sessions that began before a moment. */
    forgetSessions: ofRetention(
      ({ now }) => ({ startedBefore: now - SESSION_MS }),
      async ({ startedBefore }: { startedBefore: number }): Promise<void> => {
        await db.delete(operatorSessions).where(lte(operatorSessions.startedAt, startedBefore)).run();
      },
    ),
  };
}
