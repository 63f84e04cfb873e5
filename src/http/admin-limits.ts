import type { Refusal } from '../domain/refusal.ts';
import { BucketRoom, TokenBuckets } from '../lib/token-bucket.ts';
import type { ClientAddress } from './client-address.ts';
import { HEADER, type HookContext } from './context.ts';
import { ADDRESS_BUCKETS_MAX, draw, PER_IP, spend } from './limits.ts';

/** Pages of the console and their resources, per address and minute. */
const PAGES_PER_MINUTE = 600;

export type AdminLimits = ReturnType<typeof createAdminLimits>;

/**
 * The limits of the admin API: per token, and per address for requests without one.
 *
 * @param noteFailure called for each invalid token
 */
export function createAdminLimits(
  perMinute: number,
  addressOf: ClientAddress,
  monotonicMs: () => number,
  noteFailure: (request: Request) => void = () => {},
) {
  const tokens = new TokenBuckets(perMinute, new BucketRoom(monotonicMs));
  const addressRoom = new BucketRoom(monotonicMs, ADDRESS_BUCKETS_MAX);
  const failures = new TokenBuckets(PER_IP['failed-authentication'], addressRoom);
  const pages = new TokenBuckets(PAGES_PER_MINUTE, addressRoom);
  const sessionPages = new TokenBuckets(PAGES_PER_MINUTE, new BucketRoom(monotonicMs, ADDRESS_BUCKETS_MAX));
  const unknownPaths = new TokenBuckets(PER_IP.public, addressRoom);
  return {
    /**
     * Counts a page of the console against the limit of the session, or of the caller's address if there is no session.
     * Requests from the same address, such as those of another site in the same browser, cannot exhaust the limit of a session.
     *
     * @param sessionOf the identifier of a session that this process created; does not read the database
     */
    perPage:
      (sessionOf: (request: Request) => string | undefined) =>
      (context: HookContext): void => {
        const session = sessionOf(context.request);
        if (session === undefined) spend(context, pages, addressOf(context));
        else spend(context, sessionPages, session);
      },

    spendToken: (context: HookContext, tokenId: number) => spend(context, tokens, String(tokenId)),

    /** Counts an invalid token; returns a refusal if its address has sent too many. */
    countFailedAuthentication(context: HookContext): Refusal | undefined {
      noteFailure(context.request);
      return draw(context, failures, addressOf(context));
    },

    countUnknownPath: (context: HookContext) => draw(context, unknownPaths, addressOf(context)),

    /** Shows how many invalid tokens the caller's address may still send. Consumes none. */
    peek(context: HookContext): void {
      context.set.headers[HEADER.remaining] = String(failures.peek(addressOf(context)).remaining);
    },
  };
}
