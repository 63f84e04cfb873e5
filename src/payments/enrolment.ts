import { randomUUID } from 'node:crypto';
import type { DerivedIdentities } from '../domain/identity.ts';
import { newLicenseKey } from '../domain/license/license-key.ts';
import {
  hashClientSecret,
  isConfirmedFor,
  TRIAL_DAYS,
  TRIAL_PLAN,
  TRIAL_RESERVED_MS,
  trialNotAvailable,
} from '../domain/license/trial.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { type Clock, DAY_MS, utcDay } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { PaymentProcessor } from '../outside/payment-processor.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { ReservedTrial, TrialEnd } from '../storage/payments/trials.ts';

export interface TrialRequest {
  /** Normalized; counts as a site of the license. */
  readonly domain: string;
  /** The domain by which trials are counted; see {@link trialDomain}. */
  readonly registrableDomain: string;
  readonly installHash: string;
  /** Sent to the processor. Only a hash of its canonical form is stored. */
  readonly email: string;
  readonly canonicalEmail: string;
  /** For a repeated request: the secret of the first answer. */
  readonly clientSecret?: string | undefined;
  /** The caller's network. */
  readonly network: string;
  readonly requestId?: string | undefined;
}

export interface EnrolledTrial {
  readonly key: string;
  readonly clientSecret: string;
  readonly confirmed: boolean;
  readonly endsAt: number;
  readonly mock: boolean;
}

export interface EnrolmentParts {
  /** Undefined if none is configured; a trial then needs no card and gets a test license. */
  readonly processor: PaymentProcessor | undefined;
  readonly writer: Pick<Writer, 'write'>;
  readonly identities: DerivedIdentities;
  /** Limit of new trials per UTC day, 1 or more. */
  readonly trialsPerDay: number;
  readonly clock: Clock;
  readonly log: Log;
}

export type Enroll = (request: TrialRequest) => Promise<EnrolledTrial | Refusal>;

/**
 * Reserves a trial, then prepares its card. A crash leaves a reservation that expires; until the card setup is stored, the same
 * request can also continue it.
 *
 * @returns a function that refuses a request while the same one is being processed
 */
export function createEnrolment(parts: EnrolmentParts): Enroll {
  const { processor, writer, identities, trialsPerDay, clock, log } = parts;
  const environment = processor?.environment ?? 'test';
  const enrolling = new Set<string>();

  const reserve = async (request: TrialRequest) => {
    const { domain, registrableDomain, installHash, canonicalEmail, clientSecret, network } = request;
    const now = clock.now();
    const reservedUntil = now + TRIAL_RESERVED_MS;
    const { key, stored } = newLicenseKey(environment);
    const reserved = await writer.write('reserveTrial', {
      id: randomUUID(),
      domain: registrableDomain,
      installHash,
      emailHash: identities.emailHash(canonicalEmail),
      secretHash: clientSecret === undefined ? null : hashClientSecret(clientSecret),
      license: {
        ...stored,
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
        issuedBy: { actor: 'system', requestId: request.requestId },
      },
      reservedUntil,
      trialsPerDay,
      // A card costs more than an address, so trials with a card have no limit per network.
      networkHash: processor ? null : identities.trialNetworkHash(utcDay(now), network),
      confirmed: processor === undefined,
      now,
    });
    return isRefusal(reserved) ? reserved : { ...reserved, key };
  };

  /** The card setup of a reservation; creates and stores one if there is none. */
  const prepareCard = async (asked: PaymentProcessor, trial: ReservedTrial, email: string) => {
    if (trial.cardSetupId !== null) return asked.findCardSetup(trial.cardSetupId);
    const customerId = await asked.createCustomer({ trialId: trial.id, email });
    const setup = await asked.createCardSetup({ trialId: trial.id, customerId });
    const secretHash = setup.clientSecret === null ? null : hashClientSecret(setup.clientSecret);
    const made = { id: trial.id, customerId, cardSetupId: setup.id, secretHash };
    const refusal = await writer.write('recordCardSetup', made);
    return refusal ?? setup;
  };

  /** Releases a reservation. If that cannot be stored now, the reservation is released when it expires. */
  const release = async (end: TrialEnd & { untouched?: boolean }) => {
    const refusal = await writer.write('releaseTrial', end);
    if (isRefusal(refusal)) log.warn('a reservation could not be released yet', { fault: refusal.refused });
  };

  const enroll: Enroll = async (request) => {
    const trial = await reserve(request);
    if (isRefusal(trial)) return trial;
    const { id, key, endsAt } = trial;
    if (processor === undefined) {
      return { key, endsAt, clientSecret: `seti_mock_${id}_secret_mock`, confirmed: true, mock: true };
    }
    const end = { id, eventIds: [], now: clock.now() };
    try {
      const setup = await prepareCard(processor, trial, request.email);
      if (isRefusal(setup)) return setup;
      if (setup?.clientSecret && setup.status !== 'cancelled') {
        const confirmed = isConfirmedFor(trial, setup);
        const refusal = confirmed ? await writer.write('confirmTrial', end) : undefined;
        if (isRefusal(refusal)) return refusal;
        return { key, endsAt, clientSecret: setup.clientSecret, confirmed, mock: false };
      }
      await release(end);
    } catch (error) {
      log.warn('the card of a trial could not be set up', { fault: faultOf(error) });
      await release({ ...end, untouched: true });
    }
    return refuse('PAYMENT_SETUP_FAILED', 'The payment could not be prepared. Try again later.');
  };

  return async (request) => {
    const { registrableDomain, installHash, canonicalEmail } = request;
    const inputs = [registrableDomain, installHash, canonicalEmail].join('\n');
    if (enrolling.has(inputs)) return trialNotAvailable();
    enrolling.add(inputs);
    try {
      return await enroll(request);
    } finally {
      enrolling.delete(inputs);
    }
  };
}
