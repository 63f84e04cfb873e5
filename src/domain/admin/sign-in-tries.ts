import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

/** What is counted: passwords of operators by name and address, separately those of unknown names, and codes by name. */
export const TRY_KINDS = ['known', 'unknown', 'codes'] as const;
export type TryKind = (typeof TRY_KINDS)[number];

/** Successive failed attempts. */
export interface FailedTries {
  readonly tries: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

const FREE_TRIES = 5;
const WAIT_MS_MIN = 30 * SECOND_MS;
const WAIT_MS_MAX = 15 * MINUTE_MS;
/** After this time, failures no longer count. */
export const TRIES_COUNT_MS = 15 * MINUTE_MS;

/** How long the next attempt has to wait: 30 seconds after five failures, doubled by each further one, up to 15 minutes. */
export function waitMsAfter({ tries, lastAt }: FailedTries, now: number): number {
  const over = tries - FREE_TRIES;
  return over < 0 ? 0 : Math.max(0, Math.min(WAIT_MS_MIN * 2 ** over, WAIT_MS_MAX) - (now - lastAt));
}
