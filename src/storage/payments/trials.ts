import { and, between, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { licenseName } from '../../domain/license/license-name.ts';
import {
  freeEmailSlot,
  type Trial,
  trialNotAvailable,
  trialsPerNetwork,
} from '../../domain/license/trial.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { DAY_MS, utcDayNumber } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import type { Row } from '../engine/table.ts';
import { licenseJobs } from '../licenses/license-jobs.ts';
import type { NewLicense } from '../licenses/licenses.ts';
import {
  licenseActivity,
  licenseDomains,
  licenses,
  previousKeys,
  refusedDomains,
} from '../licenses/tables.ts';
import { auditJobs } from '../operators/audit.ts';
import { paymentEventJobs } from './payment-events.ts';
import { trials } from './tables.ts';

/** A request for a trial: the values that must be unique, and the license to issue. */
export interface TrialReservation
  extends Pick<
    Row<typeof trials>,
    'id' | 'domain' | 'installHash' | 'emailHash' | 'secretHash' | 'networkHash' | 'reservedUntil'
  > {
  readonly license: NewLicense;
  /** Limit of trials begun in a UTC day, 1 or more. */
  readonly trialsPerDay: number;
  /** True for a trial without a card. */
  readonly confirmed: boolean;
  readonly now: number;
}

export interface ReservedTrial extends Trial {
  /** When the trial of its license ends. */
  readonly endsAt: number;
}

export interface Trials {
  findByLicense(licenseId: number): Promise<Trial | undefined>;
  findByCardSetup(cardSetupId: string): Promise<Trial | undefined>;
  /** Some of the expired reservations: one that cannot be ended must not block others for long. */
  listOverdue(now: number): Promise<Trial[]>;
}

const OVERDUE_ROWS_MAX = 100;

const FIELDS = {
  id: trials.id,
  licenseId: trials.licenseId,
  reservedUntil: trials.reservedUntil,
  customerId: trials.customerId,
  cardSetupId: trials.cardSetupId,
  confirmedAt: trials.confirmedAt,
};

export function readTrials(db: Database): Trials {
  return {
    findByLicense: async (licenseId) =>
      db.select(FIELDS).from(trials).where(eq(trials.licenseId, licenseId)).get(),
    findByCardSetup: async (cardSetupId) =>
      db.select(FIELDS).from(trials).where(eq(trials.cardSetupId, cardSetupId)).get(),
    listOverdue: async (now) =>
      db
        .select(FIELDS)
        .from(trials)
        .where(and(isNull(trials.confirmedAt), lte(trials.reservedUntil, now)))
        .orderBy(sql`random()`)
        .limit(OVERDUE_ROWS_MAX)
        .all(),
  };
}

/** The processor's objects for a reservation. */
export interface CardSetupMade {
  readonly id: string;
  readonly customerId: string;
  readonly cardSetupId: string;
  /** Of the client secret in the answer to the first request. */
  readonly secretHash: string | null;
}

/** How a reservation ends. */
export interface TrialEnd {
  readonly id: string;
  /** Events that it settles. */
  readonly eventIds: readonly string[];
  readonly now: number;
}

export function trialJobs(db: Database) {
  const { issueLicense, changeLicense } = licenseJobs(db);
  const { markProcessed } = paymentEventJobs(db);
  const { audit } = auditJobs(db);
  const conflicting = ({ domain, installHash }: TrialReservation) =>
    db
      .select()
      .from(trials)
      .where(or(eq(trials.domain, domain), eq(trials.installHash, installHash)))
      .all();

  /**
   * Whether a day's trials have begun, or a network's share of them. Reservations without a card do not count: they cost
   * nothing, so anyone could use up the day with them.
   */
  const isDayUsedUp = async ({ trialsPerDay, networkHash, now }: TrialReservation): Promise<boolean> => {
    const from = utcDayNumber(now) * DAY_MS;
    const begun = between(trials.confirmedAt, from, from + DAY_MS - 1);
    return (
      (await db.$count(trials, begun)) >= trialsPerDay ||
      (networkHash !== null &&
        (await db.$count(trials, and(begun, eq(trials.networkHash, networkHash)))) >=
          trialsPerNetwork(trialsPerDay))
    );
  };

  const reservation = async (id: string): Promise<ReservedTrial> => {
    const found = await db
      .select({ ...FIELDS, endsAt: sql<number>`${licenses.expiresAt}` })
      .from(trials)
      .innerJoin(licenses, eq(licenses.id, trials.licenseId))
      .where(eq(trials.id, id))
      .get();
    if (found === undefined) throw new Error('a reservation has no license');
    return found;
  };

  /** Removes a license; one that was revoked, or that data refers to, stays as revoked. */
  const removeLicense = async (id: number, now: number) => {
    const isThere = and(eq(licenses.id, id), isNull(licenses.revokedAt));
    await db.delete(licenseActivity).where(eq(licenseActivity.licenseId, id)).run();
    await db.delete(refusedDomains).where(eq(refusedDomains.licenseId, id)).run();
    await db.delete(previousKeys).where(eq(previousKeys.licenseId, id)).run();
    const isGone = await db.connection.attempt(async () => db.delete(licenses).where(isThere).run());
    if (!isGone) await db.update(licenses).set({ revokedAt: now }).where(isThere).run();
  };

  /** A reservation that may still be confirmed or released. */
  const open = (id: string) =>
    db
      .select(FIELDS)
      .from(trials)
      .where(and(eq(trials.id, id), isNull(trials.confirmedAt)))
      .get();

  return {
    /**
     * Reserves domain, installation and an e-mail slot for one trial, with its license. A repeated request, while the card is
     * missing, returns the same reservation, and its license gets the new key.
     */
    async reserveTrial(request: TrialReservation): Promise<ReservedTrial | Refusal> {
      const { id, domain, installHash, emailHash, networkHash, license, reservedUntil, confirmed, now } =
        request;
      const [held, another] = await conflicting(request);
      if (held) {
        // A trial without a card differs from an earlier request that waits for one.
        const repeated =
          !confirmed &&
          another === undefined &&
          held.domain === domain &&
          held.installHash === installHash &&
          held.emailHash === emailHash &&
          (held.cardSetupId === null ||
            (request.secretHash !== null && held.secretHash === request.secretHash));
        if (!repeated || held.confirmedAt !== null || held.reservedUntil <= now) return trialNotAvailable();
        const { keyHash, keyPrefix, keyLast4 } = license;
        await changeLicense({ id: held.licenseId, change: { keyHash, keyPrefix, keyLast4 } });
        return reservation(held.id);
      }

      if (await isDayUsedUp(request)) return trialNotAvailable();
      const taken = await db
        .select({ slot: trials.emailSlot })
        .from(trials)
        .where(eq(trials.emailHash, emailHash))
        .all();
      const emailSlot = freeEmailSlot(taken.map(({ slot }) => slot));
      if (emailSlot === undefined) return trialNotAvailable();
      const licenseId = await issueLicense(license);
      const confirmedAt = confirmed ? now : null;
      await db
        .insert(trials)
        .values({
          id,
          licenseId,
          domain,
          installHash,
          emailHash,
          emailSlot,
          networkHash,
          reservedUntil,
          confirmedAt,
        })
        .run();
      return reservation(id);
    },

    /** Stores the processor's objects for a reservation, which can then be confirmed. */
    async recordCardSetup(made: CardSetupMade): Promise<Refusal | undefined> {
      if ((await open(made.id)) === undefined) return trialNotAvailable();
      const { id, ...change } = made;
      await db.update(trials).set(change).where(eq(trials.id, id)).run();
      return undefined;
    },

    /** Confirms the card: the license becomes valid, and the trial is used up permanently. */
    async confirmTrial({ id, eventIds, now }: TrialEnd): Promise<void> {
      await markProcessed({ eventIds, now });
      const trial = await open(id);
      if (trial === undefined) return;
      await db.update(trials).set({ confirmedAt: now }).where(eq(trials.id, id)).run();
      await changeLicense({ id: trial.licenseId, change: { pendingUntil: null } });
      await audit({
        at: now,
        actor: 'stripe',
        action: 'trial.confirm',
        subject: licenseName(trial.licenseId),
      });
    },

    /**
     * Releases domain, installation and slot, and removes the license, which was never valid; one that the operator has
     * revoked, or that has data since he suspended it, stays as revoked.
     *
     * @param untouched releases only a reservation without objects of the processor
     */
    async releaseTrial({
      id,
      eventIds,
      now,
      untouched = false,
    }: TrialEnd & { untouched?: boolean }): Promise<void> {
      await markProcessed({ eventIds, now });
      const trial = await open(id);
      if (trial === undefined || (untouched && trial.cardSetupId !== null)) return;
      const { licenseId } = trial;
      await db.delete(trials).where(eq(trials.id, id)).run();
      await db.delete(licenseDomains).where(eq(licenseDomains.licenseId, licenseId)).run();
      await removeLicense(licenseId, now);
      const actor = eventIds.length > 0 ? 'stripe' : 'system';
      await audit({ at: now, actor, action: 'trial.release', subject: licenseName(licenseId) });
    },
  };
}
