import { and, eq, gte, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { licenseName } from '../../domain/license/license-name.ts';
import { ATTEMPTS_MAX } from '../../domain/notification/retry.ts';
import {
  CONFIRM_MS,
  OPERATOR_TARGETS_MAX,
  type PauseReason,
  ROTATION_MS,
  type TargetTerms,
  TENANT_TARGETS_MAX,
  WAITING_MAX,
} from '../../domain/notification/target.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { usesReserve } from '../engine/reserve-jobs.ts';
import { ofRetention } from '../engine/retention.ts';
import type { Row } from '../engine/table.ts';
import { prepareQueue } from './queue.ts';
import { prepareSystemEvents } from './system-events.ts';
import { deliveries, deliveryLogs, notedStates, outbox, targetStates, targets } from './tables.ts';
import { selectedBy } from './wanted-by.ts';

type TargetRow = Row<typeof targets>;

/** A new target. */
export interface NewTarget
  extends TargetTerms,
    Pick<TargetRow, 'publicId' | 'licenseId' | 'secret' | 'createdAt'>,
    Partial<Pick<TargetRow, 'pausedAt' | 'pausedReason'>> {}

/** The changeable fields of a target; its kind stays. */
export type TargetChange = Partial<Omit<TargetTerms, 'kind'>>;

const ofTarget = (id: number) => eq(targets.id, id);

/** Changes of targets. */
export const targetJobs = perDatabase((db: Database) => {
  const { enqueue } = prepareQueue(db);
  const isNameTaken = async (licenseId: number | null, name: string, but = 0): Promise<boolean> => {
    const ofOwner = licenseId === null ? isNull(targets.licenseId) : eq(targets.licenseId, licenseId);
    const found = await db
      .select({ id: targets.id })
      .from(targets)
      .where(and(ofOwner, eq(targets.name, name), sql`${targets.id} <> ${but}`))
      .get();
    return found !== undefined;
  };
  const { reportProblem, reportRecovery } = prepareSystemEvents(db);
  const endProblem = async (id: number, now: number): Promise<void> => {
    const target = await db.select({ publicId: targets.publicId }).from(targets).where(ofTarget(id)).get();
    if (target) await reportRecovery({ key: problemKey(target.publicId), now });
  };
  const setState = async (targetId: number, change: Partial<Row<typeof targetStates>>): Promise<void> => {
    await db.update(targetStates).set(change).where(eq(targetStates.targetId, targetId)).run();
  };

  const remove = async ({ id, now }: { id: number; now: number }): Promise<void> => {
    await endProblem(id, now);
    await db.delete(deliveries).where(eq(deliveries.targetId, id)).run();
    await db.delete(deliveryLogs).where(eq(deliveryLogs.targetId, id)).run();
    await db.delete(targetStates).where(eq(targetStates.targetId, id)).run();
    await db.delete(targets).where(ofTarget(id)).run();
  };

  return {
    /**
     * Adds a target.
     *
     * @returns its id
     */
    addTarget: usesReserve(async (target: NewTarget): Promise<number | Refusal> => {
      const { licenseId, name } = target;
      const ofOwner = licenseId === null ? isNull(targets.licenseId) : eq(targets.licenseId, licenseId);
      const most = licenseId === null ? OPERATOR_TARGETS_MAX : TENANT_TARGETS_MAX;
      if ((await db.$count(targets, ofOwner)) >= most)
        return refuse('ACT_REFUSED', `The limit of ${most} targets is reached. Remove one first.`);
      if (await isNameTaken(licenseId, name)) return nameTaken();
      // States from before the first target are no baseline for it.
      if ((await db.$count(targets)) === 0) await db.delete(notedStates).run();
      const { id } = await db.insert(targets).values(target).returning({ id: targets.id }).get();
      await db.insert(targetStates).values({ targetId: id }).run();
      return id;
    }),

    /** Changes a target; events that already wait for it stay. */
    changeTarget: usesReserve(
      async ({ id, change }: { id: number; change: TargetChange }): Promise<Refusal | undefined> => {
        const known = await db.select().from(targets).where(ofTarget(id)).get();
        if (known === undefined) return gone();
        if (change.name !== undefined && (await isNameTaken(known.licenseId, change.name, id)))
          return nameTaken();
        await db.update(targets).set(change).where(ofTarget(id)).run();
        return undefined;
      },
    ),

    /** Removes a target with its queue. Refused if another process has just removed it. */
    removeTarget: usesReserve(
      async ({ id, now }: { id: number; now: number }): Promise<Refusal | undefined> => {
        if ((await db.$count(targets, ofTarget(id))) === 0) return gone();
        await remove({ id, now });
        return undefined;
      },
    ),

    /**
     * Removes targets whose recipients did not confirm in time, a bounded number at a time.
     *
     * @returns how many; when that is 0, none is left
     */
    forgetUnconfirmedTargets: ofRetention(
      ({ now }) => ({ before: now - CONFIRM_MS, now }),
      async ({ before, now }: { before: number; now: number }): Promise<number> => {
        const late = await db
          .select({ id: targets.id })
          .from(targets)
          .where(and(eq(targets.pausedReason, 'unconfirmed'), lt(targets.createdAt, before)))
          .limit(FORGOTTEN_AT_ONCE)
          .all();
        for (const { id } of late) await remove({ id, now });
        return late.length;
      },
    ),

    /**
     * Pauses a target, unless it is paused: events are queued, up to their limit. That its recipient unsubscribed replaces any
     * other reason.
     */
    pauseTarget: usesReserve(
      async ({ id, reason, now }: { id: number; reason: PauseReason; now: number }): Promise<void> => {
        const paused = await db
          .update(targets)
          .set({ pausedAt: now, pausedReason: reason })
          .where(and(ofTarget(id), reason === 'recipient' ? undefined : isNull(targets.pausedAt)))
          .returning({ name: targets.name, publicId: targets.publicId, licenseId: targets.licenseId })
          .get();
        const problem = paused && pausedProblem(paused, reason);
        if (problem) await reportProblem({ ...problem, now });
      },
    ),

    /** Pauses the targets of all tenants, because the operator has switched them off. */
    pauseTenantTargets: usesReserve(async ({ now }: { now: number }): Promise<void> => {
      await db
        .update(targets)
        .set({ pausedAt: now, pausedReason: 'operator' })
        .where(and(isNotNull(targets.licenseId), isNull(targets.pausedAt)))
        .run();
    }),

    /**
     * Resumes a target: queued events have all attempts again, the first immediately. Refused when its recipient has unsubscribed,
     * perhaps since the act was planned.
     */
    resumeTarget: usesReserve(
      async ({ id, now }: { id: number; now: number }): Promise<Refusal | undefined> => {
        const resumed = await db
          .update(targets)
          .set({ pausedAt: null, pausedReason: null })
          .where(and(ofTarget(id), or(isNull(targets.pausedReason), ne(targets.pausedReason, 'recipient'))))
          .returning({ id: targets.id })
          .get();
        if (resumed === undefined) return gone();
        await db.update(deliveries).set({ attempts: 0, dueAt: now }).where(eq(deliveries.targetId, id)).run();
        await setState(id, { nextDueAt: now, restsUntil: 0, failure: null });
        await endProblem(id, now);
        return undefined;
      },
    ),

    /** Rotates a target's secret; the previous one also signs for a day. */
    rotateTargetSecret: usesReserve(
      async (rotation: { id: number; sealed: string; now: number }): Promise<Refusal | undefined> => {
        const { id, sealed, now } = rotation;
        const rotated = await db
          .update(targets)
          .set({
            secret: sealed,
            previousSecret: sql`${targets.secret}`,
            previousSecretUntil: now + ROTATION_MS,
          })
          .where(ofTarget(id))
          .returning({ id: targets.id })
          .get();
        return rotated === undefined ? gone() : undefined;
      },
    ),

    /**
     * Queues the retained events that a target wants again, with the same ids.
     *
     * @param since events of this moment or later ones; or only the event with a public id
     * @returns how many were queued, at most 10,000; a refusal for a single event that it does not receive
     */
    replayDeliveries: usesReserve(
      async ({
        id,
        now,
        ...which
      }: {
        id: number;
        now: number;
      } & ({ since: number } | { event: string })): Promise<number | Refusal> => {
        const target = await db.select().from(targets).where(ofTarget(id)).get();
        if (target === undefined) return gone();
        const events = await db
          .select()
          .from(outbox)
          .where('since' in which ? gte(outbox.at, which.since) : eq(outbox.publicId, which.event))
          .orderBy(outbox.id)
          .limit(REPLAYED_MAX)
          .all();
        let [replayed, wanted] = [0, 0];
        const isOfTarget = selectedBy(db);
        for (const event of events) {
          const isIts =
            event.targetId === null ? await isOfTarget(target, event, now) : event.targetId === id;
          if (!isIts) continue;
          wanted += 1;
          replayed += Number(await enqueue(id, event.id, now));
        }
        if ('event' in which && wanted === 0) return noSuchEvent();
        return replayed;
      },
    ),
  };
});

const problemKey = (publicId: string): string => `target ${publicId}`;

const WHY_PAUSED: Readonly<Partial<Record<PauseReason, string>>> = {
  gone: 'the receiver answered 410 Gone',
  attempts: `all ${ATTEMPTS_MAX} attempts to deliver an event failed`,
};

/** Undefined for a target that a person paused. */
function pausedProblem(
  { name, publicId, licenseId }: Pick<TargetRow, 'name' | 'publicId' | 'licenseId'>,
  reason: PauseReason,
) {
  const why = WHY_PAUSED[reason];
  if (why === undefined) return undefined;
  const whose = licenseId === null ? '' : ` of ${licenseName(licenseId)}`;
  const problem = `notifications${whose} to ${name} are paused: ${why}`;
  return { key: problemKey(publicId), problem, severity: 'high' } as const;
}

const FORGOTTEN_AT_ONCE = 100;
/** Events that one replay reads. */
const REPLAYED_MAX = WAITING_MAX;

const nameTaken = () => refuse('ACT_REFUSED', 'A target of this name already exists. Choose another name.');
const noSuchEvent = () =>
  refuse('ACT_REFUSED', 'This target has no such event. List its events with its deliveries.');
const gone = () => refuse('ACT_REFUSED', 'This target no longer exists. Reload the page.');
