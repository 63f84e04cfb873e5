import { Fault } from '../../lib/fault.ts';

/** Why a sign-in with an identity provider fails. */
export const OIDC_PROBLEMS = [
  /** The provider does not respond in time. */
  'unreachable',
  /** The provider's answer does not conform to OpenID Connect. */
  'provider',
  /** The provider rejects the client or the request. */
  'settings',
  /** The provider rejects the person. */
  'denied',
  /** The browser returns without a sign-in in progress, or a second time. */
  'state',
  /** The provider rejects the code. */
  'code',
  /** The token belongs to another sign-in or another provider. */
  'token',
  /** The token is expired or not yet valid. */
  'clock',
  /** The provider did not ask for credentials again. */
  'stale',
  /** Another person signed in again. */
  'person',
  /** None of the person's groups has a role. */
  'role',
  /** The operator is disabled. */
  'disabled',
  /** The maximum number of operators is reached. */
  'full',
] as const;
export type OidcProblem = (typeof OIDC_PROBLEMS)[number];

/** A failed sign-in with an identity provider; the message is one line for the log. */
export class OidcFault extends Fault {
  readonly problem: OidcProblem;

  constructor(problem: OidcProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
