import { randomUUID } from 'node:crypto';
import type { DerivedIdentities } from './domain/identity.ts';
import { newLicenseKey } from './domain/license-key.ts';
import { isRefusal, type Refusal, refuse } from './domain/refusal.ts';
import {
  type CardSetup,
  isConfirmedFor,
  TRIAL_DAYS,
  TRIAL_PLAN,
  TRIAL_RESERVED_MS,
  type Trial,
} from './domain/trial.ts';
import { type Clock, DAY_MS, SECOND_MS } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { SingleFlight } from './lib/single-flight.ts';
import type { PaymentProcessor } from './outside/payment-processor.ts';
import type { ReservedTrial, Trials as StoredTrials } from './storage/trials.ts';
import type { Writer } from './storage/writer.ts';

export interface TrialRequest {
  /** Normalised; takes up a site. */
  readonly domain: string;
  readonly installHash: string;
  /** As it was given; only a hash of its canonical form is kept. */
  readonly email: string;
  readonly canonicalEmail: string;
}

export interface EnrolledTrial {
  readonly key: string;
  readonly clientSecret: string;
  readonly confirmed: boolean;
  readonly endsAt: number;
  readonly mock: boolean;
}

export interface TrialParts {
  readonly enabled: boolean;
  /** Undefined where there is none: then a trial needs no card. */
  readonly processor: PaymentProcessor | undefined;
  readonly stored: StoredTrials;
  readonly writer: Pick<Writer, 'write'>;
  readonly identities: DerivedIdentities;
  readonly clock: Clock;
  readonly log: Log;
}

const ASK_AGAIN_MS = 10 * SECOND_MS;
const ASKED_REMEMBERED_MAX = 10_000;

export type Trials = ReturnType<typeof createTrials>;

/**
 * Trials: reserved first, then prepared with the processor, then confirmed by what the processor itself
 * says. A crash between any two steps leaves a reservation that its repetition or its end picks up.
 */
export function createTrials(parts: TrialParts) {
  const { enabled, processor, stored, writer, identities, clock, log } = parts;
  const environment = processor?.livemode === false ? 'test' : 'live';
  const enrolling = new SingleFlight<EnrolledTrial | Refusal>();
  /** When the processor was asked about a pending license, by its id. */
  const askedAt = new Map<number, number>();

  const reserve = async ({ domain, installHash, canonicalEmail }: TrialRequest) => {
    const now = clock.now();
    const { key, stored: storedKey } = newLicenseKey(environment);
    const reservedUntil = now + TRIAL_RESERVED_MS;
    const reserved = await writer.write('reserveTrial', {
      id: randomUUID(),
      domain,
      installHash,
      emailHash: identities.emailHash(canonicalEmail),
      license: {
        ...storedKey,
        kind: 'trial',
        environment,
        plan: TRIAL_PLAN,
        sitesOverride: null,
        modulesAllowed: [],
        modulesDenied: [],
        note: null,
        expiresAt: now + TRIAL_DAYS * DAY_MS,
        ...(processor ? { pendingUntil: reservedUntil } : {}),
        domains: [domain],
        createdAt: now,
        issuedBy: 'service',
      },
      reservedUntil,
      confirmed: processor === undefined,
      now,
    });
    return isRefusal(reserved) ? reserved : { ...reserved, key };
  };

  /** The card setup of a reservation: the one that it has, or one that is made and noted now. */
  const prepareCard = async (asked: PaymentProcessor, trial: ReservedTrial, email: string) => {
    if (trial.cardSetupId !== null) return asked.findCardSetup(trial.cardSetupId);
    const customerId = await asked.createCustomer({ trialId: trial.id, email });
    const setup = await asked.createCardSetup({ trialId: trial.id, customerId });
    const made = { id: trial.id, customerId, cardSetupId: setup.id };
    const refusal = await writer.write('recordCardSetup', made);
    return refusal ?? setup;
  };

  /** Ends a reservation by what the processor says of its card; keeps it while that is open. */
  const settle = async (trial: Trial, setup: CardSetup | undefined, eventIds: readonly string[] = []) => {
    const end = { id: trial.id, eventIds, now: clock.now() };
    if (setup && isConfirmedFor(trial, setup)) return writer.write('confirmTrial', end);
    if (setup === undefined || setup.status === 'canceled') return writer.write('releaseTrial', end);
    return writer.write('markProcessed', { eventIds, now: end.now });
  };

  const enroll = async (request: TrialRequest): Promise<EnrolledTrial | Refusal> => {
    const trial = await reserve(request);
    if (isRefusal(trial)) return trial;
    const { key, endsAt } = trial;
    if (processor === undefined) {
      return { key, endsAt, clientSecret: `seti_mock_${trial.id}_secret_mock`, confirmed: true, mock: true };
    }
    try {
      const setup = await prepareCard(processor, trial, request.email);
      if (isRefusal(setup)) return setup;
      if (setup?.clientSecret && setup.status !== 'canceled') {
        const confirmed = isConfirmedFor(trial, setup);
        if (confirmed) await settle(trial, setup);
        return { key, endsAt, clientSecret: setup.clientSecret, confirmed, mock: false };
      }
      await settle(trial, undefined);
    } catch (error) {
      log.warn('no card setup for a trial', { fault: (error as Error).message });
      await writer.write('releaseTrial', { id: trial.id, eventIds: [], now: clock.now(), untouched: true });
    }
    return refuse('PAYMENT_SETUP_FAILED', 'The payment could not be prepared; try again later.');
  };

  /** Ends a reservation whose time is over. A card that was confirmed at the last moment still counts. */
  const endOverdue = async (trial: Trial) => {
    if (processor === undefined || trial.cardSetupId === null) return settle(trial, undefined);
    const setup = await processor.findCardSetup(trial.cardSetupId);
    if (setup === undefined || setup.status === 'succeeded' || setup.status === 'canceled') {
      return settle(trial, setup);
    }
    // Cancelled before it is released, so that no card can be confirmed for what is gone.
    await processor.cancelCardSetup(setup.id);
    return settle(trial, { ...setup, status: 'canceled' });
  };

  return {
    /** Requests that are the same and arrive together get the same answer. */
    async enroll(request: TrialRequest): Promise<EnrolledTrial | Refusal> {
      if (!enabled) return refuse('TRIAL_NOT_AVAILABLE', 'A trial is not available for this request.');
      const { domain, installHash, canonicalEmail } = request;
      return enrolling.do([domain, installHash, canonicalEmail].join('\n'), () => enroll(request));
    },

    /**
     * Asks the processor about the card of a pending license, at most once in ten seconds, so that a trial
     * starts also where no webhook arrives.
     */
    async confirmPending(licenseId: number): Promise<void> {
      const now = clock.monotonic();
      if (processor === undefined || now - (askedAt.get(licenseId) ?? -ASK_AGAIN_MS) < ASK_AGAIN_MS) return;
      if (askedAt.size >= ASKED_REMEMBERED_MAX) askedAt.clear();
      askedAt.set(licenseId, now);
      const trial = stored.findByLicense(licenseId);
      if (trial?.cardSetupId == null) return;
      try {
        const setup = await processor.findCardSetup(trial.cardSetupId);
        if (setup && isConfirmedFor(trial, setup)) await settle(trial, setup);
      } catch (error) {
        log.warn('the card of a trial could not be asked for', { fault: (error as Error).message });
      }
    },

    /** Settles what events said of a card setup, by fetching it. */
    async settleCardSetup(cardSetupId: string, eventIds: readonly string[]): Promise<unknown> {
      const trial = stored.findByCardSetup(cardSetupId);
      if (trial === undefined) return writer.write('markProcessed', { eventIds, now: clock.now() });
      return settle(trial, await processor?.findCardSetup(cardSetupId), eventIds);
    },

    /** Ends every reservation whose time is over; one that cannot be asked for waits for the next time. */
    async releaseOverdue(): Promise<void> {
      for (const trial of stored.listOverdue(clock.now())) {
        try {
          await endOverdue(trial);
        } catch (error) {
          log.warn('a reservation could not be ended yet', { fault: (error as Error).message });
        }
      }
    },
  };
}
