import type { Claims } from '../../domain/admin/identity-claims.ts';
import { MINUTE_MS } from '../../lib/clock.ts';

/** How far the clocks of the provider and of this host may differ, in milliseconds. */
export const CLOCK_SKEW_MS = MINUTE_MS;

/** A sign-in that has begun, which the browser keeps until it comes back. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The session, by the hash of its token, whose person signs in again. */
  readonly session?: string | undefined;
}

/** A person who has signed in. Moments are milliseconds since the Unix epoch. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Claims;
  /** When the person gave credentials; undefined where the provider does not tell. */
  readonly authenticatedAt: number | undefined;
  /** When the provider wants the session to end. */
  readonly endsAt: number | undefined;
  readonly idToken: string;
}

/** An identity provider. Each function may take 40 seconds, and throws an OidcFault. */
export interface OidcProvider {
  /**
   * Begins a sign-in.
   *
   * @param session of a person who signs in again, with credentials
   * @returns also where the browser has to go
   */
  begin(session?: string): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /** Ends it with what the browser comes back with. */
  finish(answer: URLSearchParams, flow: OidcFlow): Promise<OidcPerson>;
  /** Returns where the browser signs out, and comes back to a path of the console; undefined where that is not offered. */
  signOutAddress(idToken: string | undefined, path: string): Promise<string | undefined>;
}
