import { eq, sql } from 'drizzle-orm';
import type { AssertedExploitation } from '../../domain/vulnerability/findings.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import { exploitationAssertions } from './tables.ts';

/** An operator's assertion of how a vulnerability is exploited. */
export interface ExploitationAssertion extends AssertedExploitation {
  /** In the operator's words. */
  readonly reason: string;
}

/** A new assertion. */
export interface NewAssertion
  extends Pick<Row<typeof exploitationAssertions>, 'name' | 'exploitation' | 'reason'> {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

export function assertionJobs(db: Database) {
  const ofName = lazily(() =>
    db
      .select({ exploitation: exploitationAssertions.exploitation, since: exploitationAssertions.since })
      .from(exploitationAssertions)
      .where(eq(exploitationAssertions.name, sql.placeholder('name')))
      .prepare(),
  );

  return {
    /** Stores an assertion; replaces an earlier one about the same name. */
    async assertExploitation({ name, exploitation, reason, now }: NewAssertion): Promise<void> {
      const before = await ofName.get({ name });
      const since = before?.exploitation === exploitation ? before.since : now;
      const asserted: ExploitationAssertion = { exploitation, reason, assertedAt: now, since };
      await db
        .insert(exploitationAssertions)
        .values({ name, ...asserted })
        .onConflictDoUpdate({ target: exploitationAssertions.name, set: asserted })
        .run();
    },

    /** Withdraws an assertion; returns whether there was one. */
    async withdrawAssertion({ name }: { name: string }): Promise<boolean> {
      const { changes } = await db
        .delete(exploitationAssertions)
        .where(eq(exploitationAssertions.name, name))
        .run();
      return Number(changes) > 0;
    },
  };
}

/** By the names of vulnerabilities. */
export type Assertions = ReadonlyMap<string, ExploitationAssertion>;

/** Reads all assertions. */
export function readAssertions(db: Database): () => Promise<Assertions> {
  const all = lazily(() => db.select().from(exploitationAssertions).prepare());
  return async () => new Map((await all.all()).map(({ name, ...asserted }) => [name, asserted]));
}
