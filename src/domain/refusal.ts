/** Every code that a caller can meet, with its HTTP status and what makes it appear. */
export const REFUSALS = {
  INVALID_PAYLOAD: { status: 400, when: 'the body is unreadable, malformed or not of this route' },
  MALFORMED_REQUEST: { status: 400, when: 'what was sent is no valid HTTP/1.1 request' },
  INVALID_HOST: { status: 400, when: 'the Host header is missing, doubled or malformed' },
  INVALID_PATH: { status: 400, when: 'the path is not written as the route that it leads to' },
  INVALID_SIGNAL_SCHEMA: { status: 400, when: 'the signal is malformed or not of its vocabulary' },
  WRITE_REJECTED: { status: 400, when: 'the signal holds what a privacy rule refuses' },
  INVALID_SAAS_SIGNAL_SCHEMA: {
    status: 400,
    when: 'the signal is malformed, not of its vocabulary, or holds what a privacy rule refuses',
  },
  SAAS_BINDING_INVALID: { status: 400, when: 'licenseIdHash is not a hash token' },
  SAAS_BINDING_MISMATCH: { status: 400, when: 'licenseIdHash is not the one derived from the key' },
  SERVER_GUARD_INVALID_SIGNAL: { status: 400, when: 'the signal is malformed or not of its vocabulary' },
  SERVER_GUARD_PRIVACY_REJECTED: { status: 400, when: 'the signal holds what a privacy rule refuses' },
  PC_GUARD_INVALID_SIGNAL: { status: 400, when: 'the signal is malformed or not of its vocabulary' },
  PC_GUARD_PRIVACY_REJECTED: { status: 400, when: 'the signal holds what a privacy rule refuses' },
  INVALID_KEYHYGIENE_SIGNAL: { status: 400, when: 'the snapshot is malformed or not of its vocabulary' },
  CREDENTIAL_MATERIAL_REJECTED: { status: 400, when: 'the snapshot holds what may be a credential' },
  INVALID_RESTORE_SIGNAL: { status: 400, when: 'the candidate is malformed or not of its vocabulary' },
  RESTORE_CONTENT_REJECTED: {
    status: 400,
    when: 'the candidate holds a path, content or other private data',
  },
  INVALID_CANARY_TRIP: { status: 400, when: 'the trip fails its shape or its privacy rules' },
  INVALID_QUERY: {
    status: 400,
    when: 'the query string has an unknown name or a value that cannot be meant',
  },
  ANALYTICS_INVALID_PAYLOAD: { status: 400, when: 'the body is unreadable or is not a JSON object' },
  ANALYTICS_UNKNOWN_FIELD: { status: 400, when: 'the body has a field besides sections' },
  ANALYTICS_INVALID_QUERY: {
    status: 400,
    when: 'sections is not an array of strings, or the URL has a query string',
  },
  ANALYTICS_UNKNOWN_SECTION: { status: 400, when: 'sections names one that does not exist' },
  ANALYTICS_QUERY_TOO_LARGE: { status: 400, when: 'sections has more than 16 entries' },
  THREATREPORT_INVALID_REPORT: { status: 400, when: 'the report fails its shape or its privacy rules' },
  UNKNOWN_CATALOG_ITEM: { status: 400, when: 'an item is not in the catalogue' },
  LICENSE_NOT_PROLONGABLE: { status: 400, when: 'license_key is none of a license in trial or expired' },
  WEBHOOK_REJECTED: { status: 400, when: 'the signature, its time stamp or the mode is wrong' },
  UNAUTHORIZED: { status: 401, when: 'the Authorization header is missing or not of the Bearer form' },
  INVALID_KEY: { status: 401, when: 'the key is unknown, revoked, pending or may not be used here' },
  EXPIRED: { status: 403, when: 'the key has expired' },
  PLAN_REQUIRED: { status: 403, when: 'the route needs a greater plan; the message names it' },
  DOMAIN_MISMATCH: { status: 403, when: 'the domain is not registered for this license, or blocked' },
  DOMAIN_NOT_VERIFIED: { status: 403, when: 'nobody but the license itself says that the domain is its own' },
  SITE_LIMIT_REACHED: {
    status: 403,
    when: 'the license has no free site left for a new domain, or for a new development host',
  },
  NOT_FOUND: { status: 404, when: 'there is nothing at this path' },
  SITE_NOT_FOUND: { status: 404, when: 'the license has no such site' },
  SURFACE_SCAN_DISABLED: { status: 403, when: 'the operator has switched surface scans off' },
  METHOD_NOT_ALLOWED: { status: 405, when: 'the path exists, but not for this method' },
  REQUEST_TIMEOUT: { status: 408, when: 'the request did not arrive in time' },
  TRIAL_NOT_AVAILABLE: { status: 409, when: 'no trial can be had for this request' },
  PAYLOAD_TOO_LARGE: { status: 413, when: "the body is over the route's cap" },
  URI_TOO_LONG: { status: 414, when: 'the request URL is over 8 KiB' },
  HEADERS_TOO_LARGE: { status: 431, when: 'the request line and the headers are over 32 KiB' },
  RATE_LIMITED: { status: 429, when: 'a rate limit is used up; Retry-After says for how long' },
  DAILY_CAP_EXCEEDED: {
    status: 429,
    when: "the license's daily volume on this route, or its daily budget, is used up",
  },
  INTERNAL: { status: 500, when: 'a fault of the service; the log has the request id' },
  PAYMENT_SETUP_FAILED: { status: 502, when: 'the payment processor could not prepare for a card' },
  PAYMENT_PROCESSOR_ERROR: { status: 502, when: 'the payment processor could not be asked' },
  STORE_UNAVAILABLE: { status: 503, when: 'the store cannot take more writes at the moment' },
  THREATREPORT_STORE_UNAVAILABLE: { status: 503, when: 'the report store is unavailable at the moment' },
  ANALYSIS_BUSY: {
    status: 503,
    when: 'too many contents wait for analysis, of this license or in all, or it has not started',
  },
  SCAN_UNAVAILABLE: {
    status: 503,
    when: 'this service has no network or no resolver at the moment to look at the site with',
  },
  FEED_UNAVAILABLE: { status: 503, when: 'no snapshot of the feed could be made yet' },
} as const satisfies Record<string, { status: number; when: string }>;

export type RefusalCode = keyof typeof REFUSALS;

/** An expected failure: a value that rules and storage return, and that HTTP turns into an answer. */
export interface Refusal {
  readonly refused: RefusalCode;
  /** Public text. It may name a field, never a value that the caller sent. */
  readonly message: string;
  /** Whole seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number;
}

export const refuse = (refused: RefusalCode, message: string, retryAfterSeconds?: number): Refusal =>
  retryAfterSeconds === undefined ? { refused, message } : { refused, message, retryAfterSeconds };

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value;
