import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Role } from '../domain/admin/operator.ts';
import { type Refusal, refuse } from '../domain/refusal.ts';
import type { Database } from './engine/database.ts';
import { operatorSessions, operators } from './engine/schema.ts';

/** Somebody who signs in to the console. Moments are milliseconds since the Unix epoch. */
export interface Operator {
  readonly id: number;
  readonly name: string;
  readonly role: Role;
  readonly hasPassword: boolean;
  readonly createdAt: number;
  /** Null = never. */
  readonly signedInAt: number | null;
  readonly disabledAt: number | null;
}

/** A session that lasts, and whose it is. */
export interface OperatorSession {
  readonly operator: Operator;
  readonly startedAt: number;
  /** When the password was given last. */
  readonly confirmedAt: number;
}

const COLUMNS = {
  id: operators.id,
  name: operators.name,
  role: operators.role,
  hasPassword: sql<number>`${operators.passwordHash} is not null`.mapWith(Boolean),
  createdAt: operators.createdAt,
  signedInAt: operators.signedInAt,
  disabledAt: operators.disabledAt,
};

const prepareSession = (db: Database) =>
  db
    .select({
      operator: COLUMNS,
      startedAt: operatorSessions.startedAt,
      confirmedAt: operatorSessions.confirmedAt,
    })
    .from(operatorSessions)
    .innerJoin(operators, eq(operators.id, operatorSessions.operatorId))
    .where(
      and(
        eq(operatorSessions.tokenHash, sql.placeholder('tokenHash')),
        gt(operatorSessions.startedAt, sql.placeholder('startedAfter')),
        isNull(operators.disabledAt),
      ),
    )
    .prepare();

/** Reads who may sign in, and who has. */
export function readOperators(db: Database) {
  const byName = db
    .select({ ...COLUMNS, passwordHash: operators.passwordHash })
    .from(operators)
    .where(eq(operators.name, sql.placeholder('name')))
    .prepare();
  const bySession = prepareSession(db);
  const byLink = db
    .select(COLUMNS)
    .from(operators)
    .where(
      and(
        eq(operators.linkHash, sql.placeholder('linkHash')),
        gt(operators.linkExpiresAt, sql.placeholder('now')),
        isNull(operators.disabledAt),
      ),
    )
    .prepare();

  return {
    /** With the hash of the password, null where none was chosen yet. */
    findByName: async (name: string): Promise<(Operator & { passwordHash: string | null }) | undefined> =>
      byName.get({ name }),

    /** The session that a token, by its hash, holds, if it began after a moment and its operator is not disabled. */
    findSession: async (tokenHash: string, startedAfter: number): Promise<OperatorSession | undefined> =>
      bySession.get({ tokenHash, startedAfter }),

    /** Who may choose a password at a link, by its hash. */
    findByLink: async (linkHash: string, now: number): Promise<Operator | undefined> =>
      byLink.get({ linkHash, now }),

    /** In the order of their names. */
    all: async (): Promise<Operator[]> =>
      db.select(COLUMNS).from(operators).orderBy(asc(operators.name)).all(),
  };
}

export interface OperatorLink {
  readonly linkHash: string;
  readonly linkExpiresAt: number;
}

export interface NewPassword {
  readonly id: number;
  readonly passwordHash: string;
  /** Of the link at which it was chosen. */
  readonly linkHash: string;
}

export interface NewSession {
  readonly operatorId: number;
  readonly tokenHash: string;
  /** Of the password that was given. */
  readonly passwordHash: string;
  readonly now: number;
}

/** A session that an act is done by. */
export interface RequiredSession {
  readonly tokenHash: string;
  readonly startedAfter: number;
  /** Any of them does. */
  readonly roles: readonly Role[];
}

export function operatorJobs(db: Database) {
  const bySession = prepareSession(db);
  const change = (id: number, facts: Partial<typeof operators.$inferInsert>): void => {
    db.update(operators).set(facts).where(eq(operators.id, id)).run();
  };
  const endSessions = (operatorId: number): void => {
    db.delete(operatorSessions).where(eq(operatorSessions.operatorId, operatorId)).run();
  };

  return {
    addOperator(operator: { name: string; role: Role; createdAt: number } & OperatorLink): void {
      db.insert(operators).values(operator).run();
    },

    /** Lets a password be chosen at another link, in place of an earlier one. */
    linkOperator({ id, ...link }: { id: number } & OperatorLink): void {
      change(id, link);
    },

    setOperatorRole({ id, role }: { id: number; role: Role }): void {
      change(id, { role });
    },

    /** Sets a password at a link, which works once, and ends every session. */
    setOperatorPassword({ id, passwordHash, linkHash }: NewPassword): Refusal | undefined {
      const { changes } = db
        .update(operators)
        .set({ passwordHash, linkHash: null, linkExpiresAt: null })
        .where(and(eq(operators.id, id), eq(operators.linkHash, linkHash)))
        .run();
      if (Number(changes) === 0) return refuse('NOT_FOUND', 'This link does not work any more.');
      endSessions(id);
      return undefined;
    },

    /** Disables an operator, which ends every session and takes a link away; or lets one in again (null). */
    setOperatorDisabled({ id, disabledAt }: { id: number; disabledAt: number | null }): void {
      change(id, { disabledAt, linkHash: null, linkExpiresAt: null });
      endSessions(id);
    },

    /** Starts a session, if the password that was given is still the one, and its operator not disabled. */
    startSession({ operatorId, tokenHash, passwordHash, now }: NewSession): Refusal | undefined {
      const isRight = and(
        eq(operators.id, operatorId),
        eq(operators.passwordHash, passwordHash),
        isNull(operators.disabledAt),
      );
      if (db.select({ id: operators.id }).from(operators).where(isRight).get() === undefined)
        return refuse('UNAUTHORIZED', 'Name or password is wrong.');
      db.insert(operatorSessions).values({ operatorId, tokenHash, startedAt: now, confirmedAt: now }).run();
      change(operatorId, { signedInAt: now });
      return undefined;
    },

    /** Refuses what is done beside it when its session has ended meanwhile, or its operator has another role. */
    requireSession({ tokenHash, startedAfter, roles }: RequiredSession): Refusal | undefined {
      const operator = bySession.get({ tokenHash, startedAfter })?.operator;
      return operator !== undefined && roles.includes(operator.role)
        ? undefined
        : refuse('ROLE_REQUIRED', 'Your session has ended, or your role has changed: sign in again.');
    },

    confirmSession({ tokenHash, now }: { tokenHash: string; now: number }): void {
      db.update(operatorSessions)
        .set({ confirmedAt: now })
        .where(eq(operatorSessions.tokenHash, tokenHash))
        .run();
    },

    endSession({ tokenHash }: { tokenHash: string }): void {
      db.delete(operatorSessions).where(eq(operatorSessions.tokenHash, tokenHash)).run();
    },

    /** Forgets sessions that began before a moment. */
    forgetSessions({ startedBefore }: { startedBefore: number }): void {
      db.delete(operatorSessions).where(lte(operatorSessions.startedAt, startedBefore)).run();
    },
  };
}
