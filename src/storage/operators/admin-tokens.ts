import { and, asc, eq, getColumns, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import type { StoredToken } from '../../domain/admin/admin-token.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { adminTokens } from './tables.ts';

/** A token of another program for the admin API. Times are milliseconds since the Unix epoch. */
export type AdminToken = Omit<Row<typeof adminTokens>, 'tokenHash'>;

export type NewAdminToken = Omit<AdminToken, 'id' | 'tokenLast4' | 'usedAt' | 'revokedAt'> & StoredToken;

/** A use of a token. */
export interface TokenUse {
  /** Of the token. */
  readonly id: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export function adminTokenJobs(db: Database) {
  return {
    /**
     * Stores a token; replaces one with the same name that no longer works. It gets a new id, so that records of the old one
     * are not attributed to it.
     *
     * @throws Error when a token of its name still works
     */
    async createAdminToken(token: NewAdminToken): Promise<void> {
      const isOver = or(isNotNull(adminTokens.revokedAt), lte(adminTokens.expiresAt, token.createdAt));
      await db
        .delete(adminTokens)
        .where(and(eq(adminTokens.name, token.name), isOver))
        .run();
      await db.insert(adminTokens).values(token).run();
    },

    /** Revokes a token, if it is not revoked. */
    async revokeAdminToken({ name, now }: { name: string; now: number }): Promise<void> {
      await db
        .update(adminTokens)
        .set({ revokedAt: now })
        .where(and(eq(adminTokens.name, name), isNull(adminTokens.revokedAt)))
        .run();
    },

    /** Stores when tokens were used; a use earlier than the stored one changes nothing. */
    async noteTokenUses({ uses }: { uses: readonly TokenUse[] }): Promise<void> {
      const larger = sql.raw(db.sqlDialect.larger);
      for (const { id, at } of uses)
        await db
          .update(adminTokens)
          .set({ usedAt: sql`${larger}(coalesce(${adminTokens.usedAt}, ${at}), ${at})` })
          .where(eq(adminTokens.id, id))
          .run();
    },
  };
}

/** Reads the tokens of the admin API, including those that no longer work. */
export function readAdminTokens(db: Database) {
  const { tokenHash, ...columns } = getColumns(adminTokens);
  const select = () => db.select(columns).from(adminTokens);
  const byHash = lazily(() =>
    select()
      .where(eq(tokenHash, sql.placeholder('hash')))
      .prepare(),
  );
  const byName = lazily(() =>
    select()
      .where(eq(adminTokens.name, sql.placeholder('name')))
      .prepare(),
  );
  const inOrder = lazily(() => select().orderBy(asc(adminTokens.name)).prepare());
  const some = lazily(() =>
    select()
      .where(gt(adminTokens.name, sql.placeholder('after')))
      .orderBy(asc(adminTokens.name))
      .limit(sql.placeholder('limit'))
      .prepare(),
  );
  return {
    /** @param hash from `hashAdminToken` */
    findByHash: async (hash: string): Promise<AdminToken | undefined> => byHash.get({ hash }),
    findByName: async (name: string): Promise<AdminToken | undefined> => byName.get({ name }),
    /** Ordered by name. */
    all: async (): Promise<AdminToken[]> => inOrder.all(),
    /** In the same order, after a name or from the first on. */
    page: async ({
      after = '',
      limit,
    }: {
      after?: string | undefined;
      limit: number;
    }): Promise<AdminToken[]> => some.all({ after, limit }),
  };
}
