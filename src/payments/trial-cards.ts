import { isConfirmedFor, type Trial } from '../domain/license/trial.ts';
import { accepted } from '../domain/refusal.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { Trials } from '../storage/payments/trials.ts';

export interface TrialCardParts {
  /** Undefined if none is configured; trials then need no card. */
  readonly processor: PaymentProcessor | undefined;
  readonly stored: Trials;
  readonly writer: Pick<Writer, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
}

const ASK_AGAIN_MS = 10 * SECOND_MS;
const ASKED_REMEMBERED_MAX = 10_000;

export type TrialCards = ReturnType<typeof createTrialCards>;

/** Confirms the cards of pending trials, or releases the trials. The processor is always asked, events are not trusted. */
export function createTrialCards({ processor, stored, writer, clock, log }: TrialCardParts) {
  /** The last query to the processor by ID of the pending license, on the monotonic clock. */
  const askedAt = new Map<number, number>();

  const confirm = ({ id }: Trial, eventIds: readonly string[] = []) =>
    writer.write('confirmTrial', { id, eventIds, now: clock.now() });
  const release = ({ id }: Trial, eventIds: readonly string[] = []) =>
    writer.write('releaseTrial', { id, eventIds, now: clock.now() });

  /** Ends an expired reservation. A card that was confirmed at the last moment still counts. */
  const end = async (trial: Trial) => {
    if (processor === undefined || trial.cardSetupId === null) return release(trial);
    const setup = await processor.findCardSetup(trial.cardSetupId);
    if (setup && isConfirmedFor(trial, setup)) return confirm(trial);
    // Canceled first, so that no card can be confirmed for a released trial.
    if (setup?.status === 'open') await processor.cancelCardSetup(setup.id);
    return release(trial);
  };

  return {
    /**
     * Asks the processor about the card of a pending license, at most every ten seconds, so that trials also start if no webhook
     * arrives.
     */
    async confirmPending(licenseId: number): Promise<void> {
      const now = clock.monotonic();
      if (processor === undefined || now - (askedAt.get(licenseId) ?? -ASK_AGAIN_MS) < ASK_AGAIN_MS) return;
      if (askedAt.size >= ASKED_REMEMBERED_MAX) askedAt.clear();
      askedAt.set(licenseId, now);
      const trial = await stored.findByLicense(licenseId);
      if (trial === undefined || trial.cardSetupId === null) return;
      try {
        const setup = await processor.findCardSetup(trial.cardSetupId);
        if (setup && isConfirmedFor(trial, setup)) accepted(await confirm(trial));
      } catch (error) {
        log.warn('the card of a trial could not be read', { fault: faultOf(error) });
      }
    },

    /** Settles events of a card setup by fetching it. */
    async settle(cardSetupId: string, eventIds: readonly string[]) {
      const trial = await stored.findByCardSetup(cardSetupId);
      const setup = trial && (await processor?.findCardSetup(cardSetupId));
      if (trial && setup && isConfirmedFor(trial, setup)) return confirm(trial, eventIds);
      if (trial && (setup === undefined || setup.status === 'cancelled')) return release(trial, eventIds);
      return writer.write('markProcessed', { eventIds, now: clock.now() });
    },

    /** Ends all expired reservations. If the processor does not respond, the next call tries again. */
    async endOverdue(): Promise<void> {
      for (const trial of await stored.listOverdue(clock.now())) {
        try {
          accepted(await end(trial));
        } catch (error) {
          log.warn('a reservation could not be ended yet', { fault: faultOf(error) });
        }
      }
    },
  };
}
