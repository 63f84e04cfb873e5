import { hash } from 'node:crypto';
import { MINUTE_MS } from '../../lib/clock.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Plan } from './catalog.ts';

/** Length of a trial, from its request. */
export const TRIAL_DAYS = 14;
/** What a trial lets one try. */
export const TRIAL_PLAN: Plan = 'pro';
/** Trials that one mailbox can have, ever. */
export const TRIALS_PER_EMAIL_MAX = 3;
/** The part of a day's trials, rounded up, that one network gets where no card is asked for. */
const NETWORK_SHARE = 0.1;
/** Trials that one network can begin in a day without a card, so that it leaves others some. */
export const trialsPerNetwork = (trialsPerDay: number): number => Math.ceil(trialsPerDay * NETWORK_SHARE);
/** How long domain, installation and e-mail slot wait for a card. */
export const TRIAL_RESERVED_MS = 30 * MINUTE_MS;

/** The stored hash of a client secret: SHA-256 of a domain-separated input, in base64url. */
export const hashClientSecret = (clientSecret: string): string =>
  hash('sha256', `redoubt-client-secret-v1\n${clientSecret}`, 'base64url');

/** The lowest free slot of a mailbox, 1 to 3; undefined when all are taken. */
export function freeEmailSlot(taken: readonly number[]): number | undefined {
  for (let slot = 1; slot <= TRIALS_PER_EMAIL_MAX; slot++) if (!taken.includes(slot)) return slot;
  return undefined;
}

/** Whether a card is still awaited, was confirmed, or can no longer be given. */
export type CardSetupStatus = 'open' | 'confirmed' | 'cancelled';

/** The payment processor's state of the card for a trial. */
export interface CardSetup {
  readonly id: string;
  readonly customerId: string | null;
  /** The trial that it was made for, by its metadata. */
  readonly trialId: string | null;
  readonly status: CardSetupStatus;
  /** For entering a card in the buyer's browser; null once it is useless. */
  readonly clientSecret: string | null;
}

/** A reservation as it is stored. */
export interface Trial {
  readonly id: string;
  readonly licenseId: number;
  readonly reservedUntil: number;
  /** Null until the processor has made them. */
  readonly customerId: string | null;
  readonly cardSetupId: string | null;
  /** Null while it is a reservation; a confirmed trial is never deleted. */
  readonly confirmedAt: number | null;
}

/** Whether a card was confirmed for exactly this trial and by its own customer. */
export const isConfirmedFor = (trial: Trial, setup: CardSetup): boolean =>
  setup.status === 'confirmed' &&
  setup.id === trial.cardSetupId &&
  setup.customerId === trial.customerId &&
  setup.trialId === trial.id;

/** One refusal for every rule, so that it never reveals which domain or mailbox had a trial. */
export const trialNotAvailable = (): Refusal =>
  refuse('TRIAL_NOT_AVAILABLE', 'A trial is not available for this request.');
