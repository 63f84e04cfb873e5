import { Fault } from '../lib/fault.ts';

/** Every code that callers of the interface can receive, with its cause. */
export const REFUSALS = {
  INVALID_PAYLOAD: 'the body is unreadable, malformed or does not match the schema of this route',
  INVALID_HOST: 'the Host header is missing, repeated or malformed',
  INVALID_PATH: 'the path contains a backslash or dot segments',
  INVALID_SIGNAL_SCHEMA: 'the signal is malformed or uses unknown values',
  WRITE_REJECTED: 'the signal contains data that a privacy rule refuses',
  INVALID_SAAS_SIGNAL_SCHEMA:
    'the signal is malformed, uses unknown values, or contains data that a privacy rule refuses',
  SAAS_BINDING_INVALID: 'licenseIdHash is malformed',
  SAAS_BINDING_MISMATCH: 'licenseIdHash does not match the key',
  SERVER_GUARD_INVALID_SIGNAL: 'the signal is malformed or uses unknown values',
  SERVER_GUARD_PRIVACY_REJECTED: 'the signal contains data that a privacy rule refuses',
  PC_GUARD_INVALID_SIGNAL: 'the signal is malformed or uses unknown values',
  PC_GUARD_PRIVACY_REJECTED: 'the signal contains data that a privacy rule refuses',
  INVALID_KEYHYGIENE_SIGNAL: 'the snapshot is malformed or uses unknown values',
  CREDENTIAL_MATERIAL_REJECTED: 'the snapshot contains a possible credential',
  INVALID_RESTORE_SIGNAL: 'the candidate is malformed or uses unknown values',
  RESTORE_CONTENT_REJECTED: 'the candidate contains a path, content or other private data',
  INVALID_CANARY_TRIP: 'the trip is malformed or contains data that a privacy rule refuses',
  INVALID_QUERY: 'the query string has an unknown name or a malformed value',
  ANALYTICS_INVALID_PAYLOAD: 'the body is unreadable or is not a JSON object',
  ANALYTICS_UNKNOWN_FIELD: 'the body has a field other than sections',
  ANALYTICS_INVALID_QUERY: 'sections is not an array of strings, or the URL has a query string',
  ANALYTICS_UNKNOWN_SECTION: 'sections contains an unknown section',
  ANALYTICS_QUERY_TOO_LARGE: 'sections has more than 16 entries',
  THREATREPORT_INVALID_REPORT: 'the report is malformed or contains data that a privacy rule refuses',
  INVALID_COMPONENTS: 'the list of components is malformed or too long',
  COMPONENTS_PRIVACY_REJECTED: 'the components contain data that a privacy rule refuses',
  UNKNOWN_CATALOG_ITEM: 'an item is not in the catalogue',
  LICENSE_NOT_PROLONGABLE: 'license_key does not belong to a trial or an expired license',
  WEBHOOK_REJECTED: 'the signature, the timestamp or the mode is wrong',
  UNAUTHORIZED: 'the Authorization header is missing or not a Bearer header',
  INVALID_KEY: 'the key is unknown, revoked, pending or not allowed here',
  EXPIRED: 'the key has expired',
  PLAN_REQUIRED: 'the route requires a higher plan, named in the message',
  DOMAIN_MISMATCH: 'the domain is blocked, or not registered for this license',
  DOMAIN_NOT_VERIFIED: 'the domain of the site is not verified for this license',
  SITE_LIMIT_REACHED: 'the license has no site left for a new domain or a new development host',
  NOT_FOUND: 'unknown path',
  SITE_NOT_FOUND: 'the license has no such site',
  EVIDENCE_NOT_FOUND: 'the evidence of the license has no such entry',
  SCAN_NOT_FOUND: 'the license has no such scan, or it was deleted',
  CREDENTIAL_NOT_FOUND: 'the license has no such credential',
  TRUST_NOT_FOUND: 'there is no public trust state with this id',
  VULNERABILITY_NOT_FOUND: 'the imported data has no vulnerability with this name',
  TARGET_REFUSED: 'the notification target is not possible as requested; see the message',
  SURFACE_SCAN_DISABLED: 'the operator has turned surface scans off',
  CREDENTIALS_DISABLED:
    'this service has no public https address or no signing key; or a test license requests a license credential',
  TRUST_DISABLED: 'trust states are turned off, or the service has no public address',
  READ_ONLY_COLLECTION: 'objects cannot be added to the collections of the threat feed',
  NOTIFICATIONS_DISABLED: 'the operator has turned notifications of tenants off',
  METHOD_NOT_ALLOWED: 'the path does not support this method',
  NOT_ACCEPTABLE: 'the Accept header does not allow the media type of TAXII 2.1',
  REQUEST_TIMEOUT: 'the body did not arrive in time',
  IDEMPOTENCY_KEY_REUSED: 'the Idempotency-Key was sent with another body within 24 hours',
  ASSESSMENT_REQUIRED: 'the site has no assessment based on data of the last 24 hours',
  TRIAL_NOT_AVAILABLE: 'a trial is not available for this request',
  PAYLOAD_TOO_LARGE: 'the body is larger than the limit of the route',
  UNSUPPORTED_CONTENT_ENCODING: 'the Content-Encoding of the body is neither gzip nor identity',
  UNSUPPORTED_MEDIA_TYPE: 'the Content-Type is not the media type of TAXII 2.1',
  URI_TOO_LONG: 'the request URL is longer than 8 KiB',
  HEADERS_TOO_LARGE: 'the headers are larger than 32 KiB',
  RATE_LIMITED: 'a rate limit is exhausted; see Retry-After',
  DAILY_CAP_EXCEEDED: 'the daily limit of the license on this route, or its daily budget, is exhausted',
  INTERNAL: 'an internal error; the log contains the request ID',
  PAYMENT_SETUP_FAILED: 'the payment processor could not prepare the payment',
  PAYMENT_PROCESSOR_ERROR: 'the payment processor could not be reached',
  STORE_UNAVAILABLE: 'the database cannot be reached, or changes cannot be stored, at the moment',
  THREATREPORT_STORE_UNAVAILABLE: 'reports cannot be stored at the moment',
  ANALYSIS_BUSY:
    'too many requests are waiting for analysis, of this license or in total, or it has not started',
  SCAN_UNAVAILABLE: 'this service has no network or no resolver at the moment',
  SCAN_QUEUE_FULL: 'too many scans are waiting, of this license or in total',
  MIRROR_EMPTY: 'the operator has imported no vulnerability data yet, or it is damaged',
  FEED_UNAVAILABLE: 'the feed has not been built yet',
} as const;

/** Further ones that only operators and their programs can meet. */
export const ADMIN_REFUSALS = {
  ADDRESS_NOT_ALLOWED: 'the address of the client is not in SERVICE_ADMIN_ALLOW',
  SCOPE_REQUIRED: 'the token lacks the scope that the route requires, named in the message',
  FOREIGN_ORIGIN: 'a console form was sent from another origin',
  ROLE_REQUIRED: 'the page requires another role',
  IDENTITY_PROVIDER_ERROR: 'the identity provider cannot be reached, or its answer cannot be used',
  LICENSE_NOT_FOUND: 'there is no such license',
  ACT_REFUSED: 'the change is not possible at the moment; see the message',
  EXTERNAL_ID_TAKEN: 'another license has this external id, named in license_id',
} as const;

export type RefusalCode = keyof typeof REFUSALS | keyof typeof ADMIN_REFUSALS;

/** The cause of a code. */
export const meaningOf = (code: RefusalCode): string => ({ ...REFUSALS, ...ADMIN_REFUSALS })[code];

/** An expected failure: a value that rules and storage return, and that HTTP turns into an answer. */
export interface Refusal {
  readonly refused: RefusalCode;
  /** Public text. It may name a field, never a value that the caller sent. */
  readonly message: string;
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
  /** The conflicting license, such as `lic_1`, for operators. */
  readonly licenseId?: string;
}

export const refuse = (refused: RefusalCode, message: string, retryAfterSeconds?: number): Refusal =>
  retryAfterSeconds === undefined ? { refused, message } : { refused, message, retryAfterSeconds };

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value;

/** @throws Refusal when the outcome is one */
export function notRefused<Value>(outcome: Value): Exclude<Value, Refusal> {
  if (isRefusal(outcome)) throw outcome;
  return outcome as Exclude<Value, Refusal>;
}

/**
 * An outcome that was not refused, where there is no caller to refuse.
 *
 * @throws Fault with the code of a refusal
 */
export function accepted<Value>(outcome: Value): Exclude<Value, Refusal> {
  if (isRefusal(outcome)) throw new Fault(outcome.refused);
  return outcome as Exclude<Value, Refusal>;
}
