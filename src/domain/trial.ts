import { MINUTE_MS } from '../lib/clock.ts';
import type { Plan } from './catalog.ts';

/** Length of a trial, from its request (specification, section 8). */
export const TRIAL_DAYS = 14;
/** What a trial lets one try. */
export const TRIAL_PLAN: Plan = 'pro';
/** Trials that one mailbox can have, ever. */
export const TRIALS_PER_EMAIL_MAX = 3;
/** How long domain, installation and e-mail slot wait for a card. */
export const TRIAL_RESERVED_MS = 30 * MINUTE_MS;

const EMAIL = /^[^\s@<>",;]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])$/i;
const EMAIL_CHARACTERS_MAX = 254;

/**
 * One spelling for all that reach the same mailbox: lower-case and without a `+tag`.
 *
 * @returns undefined when the text is no e-mail address
 */
export function canonicalEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase();
  if (email.length > EMAIL_CHARACTERS_MAX || !EMAIL.test(email)) return undefined;
  const at = email.lastIndexOf('@');
  const [mailbox] = email.slice(0, at).split('+');
  return mailbox ? mailbox + email.slice(at) : undefined;
}

/** The lowest free slot of a mailbox, 1 to 3; undefined when all are taken. */
export function freeEmailSlot(taken: readonly number[]): number | undefined {
  for (let slot = 1; slot <= TRIALS_PER_EMAIL_MAX; slot++) if (!taken.includes(slot)) return slot;
  return undefined;
}

/** What the payment processor knows of the card that a trial asks for. */
export interface CardSetup {
  readonly id: string;
  readonly customerId: string | null;
  /** The trial that it was made for, by its metadata. */
  readonly trialId: string | null;
  readonly status: string;
  /** What the buyer's browser needs to enter a card; null once it is of no use. */
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
  /** Null while it is a reservation; a confirmed trial is never forgotten. */
  readonly confirmedAt: number | null;
}

/** Whether a card was confirmed for exactly this trial and by its own customer. */
export const isConfirmedFor = (trial: Trial, setup: CardSetup): boolean =>
  setup.status === 'succeeded' &&
  setup.id === trial.cardSetupId &&
  setup.customerId === trial.customerId &&
  setup.trialId === trial.id;
