import * as oauth from 'oauth4webapi';
import { OidcFault, type OidcProblem } from './oidc-fault.ts';

/** Protocol errors that may be repeated in the log; others could contain arbitrary text. */
const BY_ERROR: Readonly<Record<string, OidcProblem>> = {
  access_denied: 'denied',
  login_required: 'denied',
  interaction_required: 'denied',
  consent_required: 'denied',
  account_selection_required: 'denied',
  invalid_grant: 'code',
  server_error: 'provider',
  temporarily_unavailable: 'unreachable',
  invalid_client: 'settings',
  unauthorized_client: 'settings',
  invalid_request: 'settings',
  invalid_scope: 'settings',
  unsupported_response_type: 'settings',
  unsupported_grant_type: 'settings',
};

const BY_CODE: Readonly<Record<string, readonly [OidcProblem, string]>> = {
  [oauth.JWT_TIMESTAMP_CHECK]: ['clock', 'the ID token has expired or is not valid yet'],
  [oauth.KEY_SELECTION]: ['token', 'the provider has no key for the signature of the ID token'],
  [oauth.JSON_ATTRIBUTE_COMPARISON]: ['provider', 'its issuer or subject differs from the expected one'],
  [oauth.UNSUPPORTED_OPERATION]: ['token', 'its signature or encryption is not supported'],
  [oauth.RESPONSE_IS_NOT_JSON]: ['provider', 'the response is not JSON'],
  [oauth.PARSE_ERROR]: ['provider', 'the response is not JSON'],
  [oauth.RESPONSE_IS_NOT_CONFORM]: ['provider', 'the response has an unexpected status'],
  [oauth.MISSING_SERVER_METADATA]: ['provider', 'discovery lacks an address'],
  [oauth.INVALID_SERVER_METADATA]: ['provider', 'discovery has a malformed address'],
};

/** Display names of the claims that are compared. */
const CLAIMS: Readonly<Record<string, string>> = {
  aud: 'audience',
  azp: 'authorized party',
  iss: 'issuer',
  nonce: 'nonce',
};

/** Converts an error of the library into a fault without values of the answer. */
export function wordedFault(error: unknown, step: string): OidcFault {
  if (error instanceof OidcFault) return error;
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return answered(error.error, step);
  const { code = '', cause } = (error ?? {}) as { code?: string; cause?: unknown };
  if (code === oauth.JWT_CLAIM_COMPARISON) {
    const claim = CLAIMS[String((cause as { claim?: unknown } | undefined)?.claim)] ?? 'claim';
    return new OidcFault('token', `the ID token has another ${claim}`);
  }
  const known = BY_CODE[code];
  if (known !== undefined) return new OidcFault(known[0], `${step}: ${known[1]}`);
  if (step === 'answer')
    return new OidcFault('state', 'the answer is not for this sign-in, or not by this provider');
  if (step === 'token') return new OidcFault('token', 'the ID token is malformed or its signature is wrong');
  return new OidcFault('provider', `${step}: the response is malformed`);
}

function answered(error: string, step: string): OidcFault {
  const problem = Object.hasOwn(BY_ERROR, error) ? BY_ERROR[error] : undefined;
  return new OidcFault(
    problem ?? 'provider',
    `${step}: the provider answered ${problem ? error : 'an unknown error'}`,
  );
}
