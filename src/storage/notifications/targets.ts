import { and, asc, count, eq, getColumns, gt, isNull, sql } from 'drizzle-orm';
import type { Target } from '../../domain/notification/target.ts';
import { openTargetSecret } from '../../domain/notification/target-secret.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import type { Row } from '../engine/table.ts';
import type { Attempt } from './delivery-attempts.ts';
import { deliveryLogs, targetStates, targets } from './tables.ts';

/** A stored target, with the health of its deliveries. Times are milliseconds since the Unix epoch. */
export interface TargetRecord extends Row<typeof targets>, TargetHealth {}

/** The health of deliveries to a target. */
export type TargetHealth = Pick<
  Row<typeof targetStates>,
  'waiting' | 'dropped' | 'nextDueAt' | 'restsUntil' | 'succeededAt' | 'failedAt' | 'failure'
>;

/**
 * A target with the secrets that sign at a moment.
 *
 * @param key see DerivedIdentities.targetKey; secrets that it cannot open are omitted
 */
export function openTarget(key: Uint8Array, record: Row<typeof targets>, now: number): Target {
  const { secret, previousSecret, previousSecretUntil, createdAt, pausedAt, pausedReason, ...target } =
    record;
  const previous = (previousSecretUntil ?? 0) > now ? previousSecret : null;
  const secrets = [secret, previous].flatMap((sealed) =>
    sealed === null ? [] : (openTargetSecret(key, target.publicId, sealed) ?? []),
  );
  return { ...target, secrets };
}

/** Reads targets: a tenant's by its license, operators' by null. */
export function readTargets(db: Database) {
  const { waiting, dropped, nextDueAt, restsUntil, succeededAt, failedAt, failure } = targetStates;
  const health = { waiting, dropped, nextDueAt, restsUntil, succeededAt, failedAt, failure };
  const select = () =>
    db
      .select({ ...getColumns(targets), ...health })
      .from(targets)
      .innerJoin(targetStates, eq(targetStates.targetId, targets.id));
  const byId = lazily(() =>
    select()
      .where(eq(targets.id, sql.placeholder('id')))
      .prepare(),
  );
  const byPublicId = lazily(() =>
    select()
      .where(eq(targets.publicId, sql.placeholder('publicId')))
      .prepare(),
  );
  const logOf = lazily(() =>
    db
      .select({ attempts: deliveryLogs.attempts })
      .from(deliveryLogs)
      .where(eq(deliveryLogs.targetId, sql.placeholder('id')))
      .prepare(),
  );
  const ofOwner = (licenseId: number | null) =>
    licenseId === null ? isNull(targets.licenseId) : eq(targets.licenseId, licenseId);

  return {
    findById: async (id: number): Promise<TargetRecord | undefined> => byId.get({ id }),

    find: async (publicId: string): Promise<TargetRecord | undefined> => byPublicId.get({ publicId }),

    findByName: async (licenseId: number | null, name: string): Promise<TargetRecord | undefined> =>
      select()
        .where(and(ofOwner(licenseId), eq(targets.name, name)))
        .get(),

    /** Ordered by name, up to the owner's limit. */
    list: async (licenseId: number | null): Promise<TargetRecord[]> =>
      select().where(ofOwner(licenseId)).orderBy(asc(targets.name)).all(),

    /** Those of all tenants, in the order in which they were added, after one or from the first on. */
    pageOfTenants: async ({ after = 0, limit }: { after?: number; limit: number }): Promise<TargetRecord[]> =>
      select()
        .where(and(sql`${targets.licenseId} is not null`, gt(targets.id, after)))
        .orderBy(asc(targets.id))
        .limit(limit)
        .all(),

    /** The last attempts, the newest first, at most 50. */
    attempts: async (id: number): Promise<readonly Attempt[]> => (await logOf.get({ id }))?.attempts ?? [],

    /** Numbers of queued and dropped events of all targets. */
    totals: async (): Promise<{ targets: number; paused: number; waiting: number; dropped: number }> => {
      const found = await db
        .select({
          targets: count(),
          paused: count(targets.pausedAt),
          waiting: sql<number>`coalesce(sum(${waiting}), 0)`,
          dropped: sql<number>`coalesce(sum(${dropped}), 0)`,
        })
        .from(targets)
        .innerJoin(targetStates, eq(targetStates.targetId, targets.id))
        .get();
      return {
        targets: found?.targets ?? 0,
        paused: found?.paused ?? 0,
        waiting: Number(found?.waiting ?? 0),
        dropped: Number(found?.dropped ?? 0),
      };
    },
  };
}

export type TargetReads = ReturnType<typeof readTargets>;
