import { and, desc, eq, sql } from 'drizzle-orm';
import type { DailyBudget } from '../../domain/license/daily-budget.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { perDatabase } from '../engine/per-database.ts';
import { ofRetention, retainedFrom } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import { type DailyUse, dailyUsageJobs } from '../licenses/daily-usage.ts';
import { dailyVolumeJobs } from '../licenses/daily-volumes.ts';
import { signalHistory, signalSnapshots } from './tables.ts';

/** One accepted signal, with its derived identity in place. */
export type SignalRecord = SignalFacts & Persistence;

/** Whether it replaces the earlier one for the same site, or is stored in addition and uses a daily budget. */
type Persistence = { readonly replaces: true } | { readonly replaces: false; readonly budget: DailyBudget };

interface SignalFacts {
  readonly licenseId: number;
  /** The path of its route. */
  readonly signal: string;
  /** A derived identity, or empty. */
  readonly site: string;
  readonly record: object;
  readonly receivedAt: number;
  /** On routes with a daily volume. */
  readonly use?: DailyUse;
}

/** Senders can invent any number of sites; the site with the oldest report is removed, never the reported one. */
const SNAPSHOT_SITES_MAX = 1_000;
const RETENTION_CHUNK_ROWS = 5_000;
/** The size of a stored signal in addition to its record: its row and index entries. */
const SIGNAL_BYTES = 256;

export const signalJobs = perDatabase((db: Database) => {
  const { spendDailyUse } = dailyUsageJobs(db);
  const { spendDailyVolume } = dailyVolumeJobs(db);
  const append = lazily(() =>
    db
      .insert(signalHistory)
      .values({
        licenseId: sql.placeholder('licenseId'),
        signal: sql.placeholder('signal'),
        record: sql.placeholder('record'),
        receivedAt: sql.placeholder('receivedAt'),
      })
      .prepare(),
  );
  const replace = lazily(() =>
    db
      .insert(signalSnapshots)
      .values({
        licenseId: sql.placeholder('licenseId'),
        signal: sql.placeholder('signal'),
        site: sql.placeholder('site'),
        record: sql.placeholder('record'),
        receivedAt: sql.placeholder('receivedAt'),
      })
      .onConflictDoUpdate({
        target: [signalSnapshots.licenseId, signalSnapshots.signal, signalSnapshots.site],
        set: { record: sql`excluded.record`, receivedAt: sql`excluded.received_at` },
      })
      .prepare(),
  );
  const ofThisLicense = and(
    eq(signalSnapshots.licenseId, sql.placeholder('licenseId')),
    eq(signalSnapshots.signal, sql.placeholder('signal')),
  );
  const makeRoom = lazily(() =>
    db
      .delete(signalSnapshots)
      .where(
        and(
          ofThisLicense,
          sql`${signalSnapshots.site} in (
          select site from ${signalSnapshots} where ${ofThisLicense}
          order by ${signalSnapshots.site} = ${sql.placeholder('site')} desc, ${signalSnapshots.receivedAt} desc
          ${db.sqlDialect.beyond(SNAPSHOT_SITES_MAX)}
        )`,
        ),
      )
      .prepare(),
  );

  return {
    async recordSignal(sent: SignalRecord): Promise<Refusal | undefined> {
      const refusal = sent.use && (await spendDailyUse(sent.use));
      if (isRefusal(refusal)) return refusal;
      const { licenseId, signal, site, receivedAt } = sent;
      const row = { licenseId, signal, site, receivedAt, record: JSON.stringify(sent.record) };
      if (sent.replaces) {
        await replace.run(row);
        await makeRoom.run(row);
        return undefined;
      }
      await append.run(row);
      const bytes = SIGNAL_BYTES + Buffer.byteLength(row.record);
      return spendDailyVolume({ licenseId, events: 0, bytes, budget: sent.budget, now: receivedAt });
    },

    /**
     * Deletes the oldest signals received before a moment, a bounded number at a time. Snapshots stay until they are replaced.
     *
     * @returns how many; 0 = none left
     */
    forgetSignals: ofRetention(
      (terms) => ({ receivedBefore: retainedFrom(terms) }),
      async ({ receivedBefore }: { receivedBefore: number }): Promise<number> => {
        const { changes } = await db.run(
          sql`delete from ${signalHistory} where ${signalHistory.id} in (
            select id from ${signalHistory} where ${signalHistory.receivedAt} < ${receivedBefore}
            order by ${signalHistory.receivedAt} limit ${RETENTION_CHUNK_ROWS}
          )`,
        );
        return Number(changes);
      },
    ),
  };
});

/** A stored signal. */
export interface KeptSignal {
  readonly record: Readonly<Record<string, unknown>>;
  readonly receivedAt: number;
}

export function readSignals(db: Database) {
  const latestStored = lazily(() =>
    db
      .select({ record: signalHistory.record, receivedAt: signalHistory.receivedAt })
      .from(signalHistory)
      .where(
        and(
          eq(signalHistory.licenseId, sql.placeholder('licenseId')),
          eq(signalHistory.signal, sql.placeholder('signal')),
        ),
      )
      .orderBy(desc(signalHistory.id))
      .limit(1)
      .prepare(),
  );
  const ofSites = lazily(() =>
    db
      .select({ record: signalSnapshots.record, receivedAt: signalSnapshots.receivedAt })
      .from(signalSnapshots)
      .where(
        and(
          eq(signalSnapshots.licenseId, sql.placeholder('licenseId')),
          eq(signalSnapshots.signal, sql.placeholder('signal')),
          sql`${signalSnapshots.site} in ('', ${sql.placeholder('site')})`,
        ),
      )
      .orderBy(desc(signalSnapshots.site))
      .limit(1)
      .prepare(),
  );
  const any = prepare<object>(
    db,
    `
    select 1 from signal_snapshots where license_id = :licenseId and received_at >= :since
      union all select 1 from signal_history where license_id = :licenseId and received_at >= :since limit 1
    `,
  );
  const kept = (row: { record: string; receivedAt: number } | undefined): KeptSignal | undefined =>
    row && { ...row, record: JSON.parse(row.record) };

  return {
    /** Whether a license has sent any signal since a moment. */
    isAnySince: async (licenseId: number, since: number): Promise<boolean> =>
      (await any.get({ licenseId, since })) !== undefined,

    /**
     * A license's latest signal of one route.
     *
     * @param site whose snapshot has priority over the one of the whole license
     */
    latest: async (licenseId: number, signal: string, site: string): Promise<KeptSignal | undefined> =>
      kept(await ofSites.get({ licenseId, signal, site })) ??
      kept(await latestStored.get({ licenseId, signal })),
  };
}

export type SignalReads = ReturnType<typeof readSignals>;
