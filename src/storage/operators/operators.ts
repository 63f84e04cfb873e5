import { and, asc, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { operatorSessions, operators } from './tables.ts';

/** A person with an account in the console. Moments are milliseconds since the Unix epoch. */
export interface Operator
  extends Pick<
    Row<typeof operators>,
    'id' | 'name' | 'role' | 'createdAt' | 'signedInAt' | 'disabledAt' | 'oidcIssuer' | 'oidcSubject'
  > {
  readonly hasPassword: boolean;
  /** Whether signing in also needs a code. */
  readonly hasSecondFactor: boolean;
}

/** A session that has not ended, with the operator who signed in. */
export interface OperatorSession extends Pick<Row<typeof operatorSessions>, 'startedAt' | 'confirmedAt'> {
  readonly operator: Operator;
}

/** A person at an identity provider. */
export interface OidcIdentity {
  readonly oidcIssuer: string;
  readonly oidcSubject: string;
}

/** The earliest start of a valid session, and the current time; milliseconds since the Unix epoch. */
export interface SessionTimes {
  readonly startedAfter: number;
  readonly now: number;
}

/** Limit of listed sessions of one operator: more than one person has. */
const SESSIONS_SHOWN = 50;

const COLUMNS = {
  id: operators.id,
  name: operators.name,
  role: operators.role,
  hasPassword: sql<number>`${operators.passwordHash} is not null`.mapWith(Boolean),
  hasSecondFactor: sql<number>`${operators.totpConfirmedAt} is not null`.mapWith(Boolean),
  createdAt: operators.createdAt,
  signedInAt: operators.signedInAt,
  disabledAt: operators.disabledAt,
  oidcIssuer: operators.oidcIssuer,
  oidcSubject: operators.oidcSubject,
};

export const prepareSession = (db: Database, awaitsCode = false) =>
  lazily(() =>
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
          eq(operatorSessions.awaitsCode, awaitsCode),
          gt(operatorSessions.startedAt, sql.placeholder('startedAfter')),
          or(isNull(operatorSessions.endsAt), gt(operatorSessions.endsAt, sql.placeholder('now'))),
          isNull(operators.disabledAt),
        ),
      )
      .prepare(),
  );

/** Reads operators and their sessions. */
export function readOperators(db: Database) {
  const byName = lazily(() =>
    db
      .select({ ...COLUMNS, passwordHash: operators.passwordHash })
      .from(operators)
      .where(eq(operators.name, sql.placeholder('name')))
      .prepare(),
  );
  const bySession = prepareSession(db);
  const byWaiting = prepareSession(db, true);
  const byIdentity = lazily(() =>
    db
      .select(COLUMNS)
      .from(operators)
      .where(
        and(
          eq(operators.oidcIssuer, sql.placeholder('oidcIssuer')),
          eq(operators.oidcSubject, sql.placeholder('oidcSubject')),
        ),
      )
      .prepare(),
  );
  const byLink = lazily(() =>
    db
      .select(COLUMNS)
      .from(operators)
      .where(
        and(
          eq(operators.linkHash, sql.placeholder('linkHash')),
          gt(operators.linkExpiresAt, sql.placeholder('now')),
          isNull(operators.disabledAt),
        ),
      )
      .prepare(),
  );

  return {
    /** With the hash of the password, null until one is chosen. */
    findByName: async (name: string): Promise<(Operator & { passwordHash: string | null }) | undefined> =>
      byName.get({ name }),

    /** The operator of a person at an identity provider. */
    findByIdentity: async (identity: OidcIdentity): Promise<Operator | undefined> =>
      byIdentity.get({ ...identity }),

    /** The session of a token, by its hash, if it has not ended and its operator is enabled. */
    findSession: async (tokenHash: string, times: SessionTimes): Promise<OperatorSession | undefined> =>
      bySession.get({ tokenHash, ...times }),

    /** The same for a session that waits for a code and gives no access. */
    findWaiting: async (tokenHash: string, times: SessionTimes): Promise<OperatorSession | undefined> =>
      byWaiting.get({ tokenHash, ...times }),

    /** The sessions of an operator that began after a moment, newest first. */
    sessionsOf: async (
      operatorId: number,
      startedAfter: number,
    ): Promise<{ tokenHash: string; startedAt: number }[]> =>
      db
        .select({ tokenHash: operatorSessions.tokenHash, startedAt: operatorSessions.startedAt })
        .from(operatorSessions)
        .where(
          and(
            eq(operatorSessions.operatorId, operatorId),
            eq(operatorSessions.awaitsCode, false),
            gt(operatorSessions.startedAt, startedAfter),
          ),
        )
        .orderBy(desc(operatorSessions.startedAt))
        .limit(SESSIONS_SHOWN)
        .all(),

    /** The operator of a link for choosing a password, by its hash. */
    findByLink: async (linkHash: string, now: number): Promise<Operator | undefined> =>
      byLink.get({ linkHash, now }),

    /** Ordered by name. */
    all: async (): Promise<Operator[]> =>
      db.select(COLUMNS).from(operators).orderBy(asc(operators.name)).all(),
  };
}
