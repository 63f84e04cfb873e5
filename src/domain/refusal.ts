import { Fault } from '../lib/fault.ts';

/** Every code that a caller of the interface can meet, with what makes it appear. */
export const REFUSALS = {
  INVALID_PAYLOAD: 'the body is unreadable, malformed or not of this route',
  INVALID_HOST: 'the Host header is missing, doubled or malformed',
  INVALID_PATH: 'the path is not written as in the contract: it holds a backslash or dot segments',
  INVALID_SIGNAL_SCHEMA: 'the signal is malformed or not of its vocabulary',
  WRITE_REJECTED: 'the signal holds what a privacy rule refuses',
  INVALID_SAAS_SIGNAL_SCHEMA:
    'the signal is malformed, not of its vocabulary, or holds what a privacy rule refuses',
  SAAS_BINDING_INVALID: 'licenseIdHash is malformed',
  SAAS_BINDING_MISMATCH: 'licenseIdHash is not the one derived from the key',
  SERVER_GUARD_INVALID_SIGNAL: 'the signal is malformed or not of its vocabulary',
  SERVER_GUARD_PRIVACY_REJECTED: 'the signal holds what a privacy rule refuses',
  PC_GUARD_INVALID_SIGNAL: 'the signal is malformed or not of its vocabulary',
  PC_GUARD_PRIVACY_REJECTED: 'the signal holds what a privacy rule refuses',
  INVALID_KEYHYGIENE_SIGNAL: 'the snapshot is malformed or not of its vocabulary',
  CREDENTIAL_MATERIAL_REJECTED: 'the snapshot holds what may be a credential',
  INVALID_RESTORE_SIGNAL: 'the candidate is malformed or not of its vocabulary',
  RESTORE_CONTENT_REJECTED: 'the candidate holds a path, content or other private data',
  INVALID_CANARY_TRIP: 'the trip fails its shape or its privacy rules',
  INVALID_QUERY: 'the query string has an unknown name or a malformed value',
  ANALYTICS_INVALID_PAYLOAD: 'the body is unreadable or is not a JSON object',
  ANALYTICS_UNKNOWN_FIELD: 'the body has a field besides sections',
  ANALYTICS_INVALID_QUERY: 'sections is not an array of strings, or the URL has a query string',
  ANALYTICS_UNKNOWN_SECTION: 'sections names one that does not exist',
  ANALYTICS_QUERY_TOO_LARGE: 'sections has more than 16 entries',
  THREATREPORT_INVALID_REPORT: 'the report fails its shape or its privacy rules',
  INVALID_COMPONENTS: 'the list of components is malformed or too long',
  COMPONENTS_PRIVACY_REJECTED: 'the components hold what a privacy rule refuses',
  UNKNOWN_CATALOG_ITEM: 'an item is not in the catalogue',
  LICENSE_NOT_PROLONGABLE: 'license_key is not that of a license in trial or expired',
  WEBHOOK_REJECTED: 'the signature, its time stamp or the mode is wrong',
  UNAUTHORIZED: 'the Authorization header is missing or not of the Bearer form',
  INVALID_KEY: 'the key is unknown, revoked, pending or may not be used here',
  EXPIRED: 'the key has expired',
  PLAN_REQUIRED: 'the route needs a higher plan; the message names it',
  DOMAIN_MISMATCH: 'the domain is not registered for this license, or blocked',
  DOMAIN_NOT_VERIFIED: 'nothing proves that the license controls the domain of the site',
  SITE_LIMIT_REACHED: 'the license has no free site left for a new domain, or for a new development host',
  NOT_FOUND: 'there is nothing at this path',
  SITE_NOT_FOUND: 'the license has no such site',
  EVIDENCE_NOT_FOUND: 'the evidence of the license has no such entry',
  SCAN_NOT_FOUND: 'the license has no such scan, or it was forgotten',
  CREDENTIAL_NOT_FOUND: 'the license has no such credential',
  TRUST_NOT_FOUND: 'no site shows its trust state by this id',
  VULNERABILITY_NOT_FOUND: 'nothing of this name was imported',
  SURFACE_SCAN_DISABLED: 'the operator has switched surface scans off',
  CREDENTIALS_DISABLED:
    'this service has no public https address, which credentials would name, or no key that signs them; or a test license wants one of itself',
  TRUST_DISABLED:
    'this service shows no trust states: the operator has switched them off, or set no public address',
  METHOD_NOT_ALLOWED: 'the path exists, but not for this method',
  REQUEST_TIMEOUT: 'the body did not arrive in time',
  IDEMPOTENCY_KEY_REUSED: 'the Idempotency-Key was sent with another body within 24 hours',
  ASSESSMENT_REQUIRED: 'the site was not assessed by facts of the last 24 hours',
  TRIAL_NOT_AVAILABLE: 'no trial can be had for this request',
  PAYLOAD_TOO_LARGE: "the body is over the route's cap",
  UNSUPPORTED_CONTENT_ENCODING: 'the Content-Encoding of the body is neither gzip nor identity',
  URI_TOO_LONG: 'the request URL is over 8 KiB',
  HEADERS_TOO_LARGE: 'the headers are over 32 KiB',
  RATE_LIMITED: 'a rate limit is used up; Retry-After says for how long',
  DAILY_CAP_EXCEEDED: "the license's daily volume on this route, or its daily budget, is used up",
  INTERNAL: 'a fault of the service; the log has the request id',
  PAYMENT_SETUP_FAILED: 'the payment processor could not prepare for a card',
  PAYMENT_PROCESSOR_ERROR: 'the payment processor could not be reached',
  STORE_UNAVAILABLE: 'the store cannot be reached, or changes cannot be stored, at the moment',
  THREATREPORT_STORE_UNAVAILABLE: 'the report store is unavailable at the moment',
  ANALYSIS_BUSY: 'too many contents wait for analysis, of this license or in all, or it has not started',
  SCAN_UNAVAILABLE: 'this service has no network or no resolver at the moment to look at the site with',
  SCAN_QUEUE_FULL: 'too many scans wait, of this license or in all',
  MIRROR_EMPTY: 'the operator has imported no vulnerability data yet, or it is damaged',
  FEED_UNAVAILABLE: 'no snapshot of the feed could be made yet',
} as const;

/** Further ones that only operators and their programs can meet. */
export const ADMIN_REFUSALS = {
  ADDRESS_NOT_ALLOWED: 'SERVICE_ADMIN_ALLOW does not have the address that the request comes from',
  SCOPE_REQUIRED: 'the token has not the scope that the route needs; the message names it',
  FOREIGN_ORIGIN: 'a form of the console was not sent from one of its own pages',
  ROLE_REQUIRED: 'the page needs a role that the operator has not',
  LICENSE_NOT_FOUND: 'there is no such license',
  ACT_REFUSED: 'what is asked for cannot be done as things are; the message says why',
  EXTERNAL_ID_TAKEN: 'another license that is not revoked has this external id; license_id says which',
} as const;

export type RefusalCode = keyof typeof REFUSALS | keyof typeof ADMIN_REFUSALS;

/** What makes a code appear. */
export const meaningOf = (code: RefusalCode): string => ({ ...REFUSALS, ...ADMIN_REFUSALS })[code];

/** An expected failure: a value that rules and storage return, and that HTTP turns into an answer. */
export interface Refusal {
  readonly refused: RefusalCode;
  /** Public text. It may name a field, never a value that the caller sent. */
  readonly message: string;
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** The license that is in the way, such as `lic_1`, where an operator is told. */
  readonly licenseId?: string;
}

export const refuse = (refused: RefusalCode, message: string, retryAfterSeconds?: number): Refusal =>
  retryAfterSeconds === undefined ? { refused, message } : { refused, message, retryAfterSeconds };

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value;

/**
 * What was not refused, where nobody waits who could be told of a refusal.
 *
 * @throws Fault with the code of a refusal
 */
export function accepted<Value>(outcome: Value): Exclude<Value, Refusal> {
  if (isRefusal(outcome)) throw new Fault(outcome.refused);
  return outcome as Exclude<Value, Refusal>;
}
