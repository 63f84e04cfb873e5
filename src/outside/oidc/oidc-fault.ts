import { Fault } from '../../lib/fault.ts';

/** Why a sign-in at an identity provider fails. */
export const OIDC_PROBLEMS = [
  /** It cannot be reached in time. */
  'unreachable',
  /** It does not answer as OpenID Connect requires. */
  'provider',
  /** It refuses the client or the request. */
  'settings',
  /** It refuses the person. */
  'denied',
  /** The browser comes back without having been sent, or again. */
  'state',
  /** It refuses the code. */
  'code',
  /** The token is not for this sign-in, or not by this provider. */
  'token',
  /** The token is not valid at this time. */
  'clock',
  /** It has not asked for the person's credentials again. */
  'stale',
  /** Another person has signed in again. */
  'person',
  /** No group of the person has a role. */
  'role',
  /** The operator is disabled. */
  'disabled',
  /** There is no room for another operator. */
  'full',
] as const;
export type OidcProblem = (typeof OIDC_PROBLEMS)[number];

/** A failed sign-in at an identity provider; the message is one line for the log. */
export class OidcFault extends Fault {
  readonly problem: OidcProblem;

  constructor(problem: OidcProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
