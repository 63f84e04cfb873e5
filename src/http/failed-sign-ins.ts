import type { Log } from '../lib/log.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import { unitOf } from './client-address.ts';
import type { SignInDoor } from './sign-in-counts.ts';

/** Logs a failed sign-in with the exact address of the caller. */
export type NoteFailedSignIn = (door: SignInDoor, address: string) => void;

/** Enough for programs that block addresses, and too few for an attacker to fill the log. */
const LINES_PER_MINUTE = 10;
const ADDRESSES_MAX = 10_000;

/**
 * Logs failed sign-ins in a fixed form, for programs that block addresses: at most 10 lines per minute and IPv4 address or
 * IPv6 /64. The address is the only data from the request.
 */
export function createFailedSignIns(log: Pick<Log, 'warn'>, monotonicMs: () => number): NoteFailedSignIn {
  const lines = new TokenBuckets(LINES_PER_MINUTE, new BucketRoom(monotonicMs, ADDRESSES_MAX));
  return (kind, address) => {
    if (lines.take(unitOf(address)).allowed) log.warn('sign-in failed', { kind, address });
  };
}
