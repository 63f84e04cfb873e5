import type { Claims } from '../../domain/admin/identity-claims.ts';
import { MINUTE_MS } from '../../lib/clock.ts';

/** Tolerated clock difference between the provider and this host, in milliseconds. */
export const CLOCK_SKEW_MS = MINUTE_MS;

/** A sign-in in progress, stored by the browser until it returns. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Token hash of the session whose person signs in again. */
  readonly session?: string | undefined;
}

/** A person who has signed in. Moments are milliseconds since the Unix epoch. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Claims;
  /** When the person last entered credentials; undefined if the provider does not report it. */
  readonly authenticatedAt: number | undefined;
  /** When the session must end, as requested by the provider. */
  readonly endsAt: number | undefined;
  readonly idToken: string;
}

/** An identity provider. Functions take up to 40 seconds and throw an OidcFault. */
export interface OidcProvider {
  /**
   * Begins a sign-in.
   *
   * @param session token hash of the session whose person must enter credentials again
   * @returns also the URL to which the browser is redirected
   */
  begin(session?: string): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /** Completes a sign-in with the parameters with which the browser returns. */
  finish(answer: URLSearchParams, flow: OidcFlow): Promise<OidcPerson>;
  /**
   * Returns the URL at which the browser signs out and then returns to `path` of the console; undefined if the provider has none.
   */
  signOutAddress(idToken: string | undefined, path: string): Promise<string | undefined>;
}
