import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';

/** What is tried: passwords of operators by name and address, of names that do not exist apart, and codes by name. */
export const TRY_KINDS = ['known', 'unknown', 'codes'] as const;
export type TryKind = (typeof TRY_KINDS)[number];

/** Tries that failed one after another. */
export interface FailedTries {
  readonly tries: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

const FREE_TRIES = 5;
const WAIT_MS_MIN = 30 * SECOND_MS;
const WAIT_MS_MAX = 15 * MINUTE_MS;
/** After it, failures do not count any more. */
export const TRIES_COUNT_MS = 15 * MINUTE_MS;

/** How long the next try has to wait: after five failures 30 seconds, and twice as long after each further one, up to 15 minutes. */
export function waitMsAfter({ tries, lastAt }: FailedTries, now: number): number {
  const over = tries - FREE_TRIES;
  return over < 0 ? 0 : Math.max(0, Math.min(WAIT_MS_MIN * 2 ** over, WAIT_MS_MAX) - (now - lastAt));
}
