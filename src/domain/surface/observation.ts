/** An answer of the site, as far as it was read. */
export interface SiteResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Values by lower-case name, in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Its beginning, up to the reader's cap; empty when it came compressed in spite of what we ask for. */
  readonly body: string;
}

/** Why there is no answer. Callers do not learn a forbidden address from a dead one. */
export const VISIT_FAILURES = [
  'unresolvable',
  'forbidden_address',
  'unreachable',
  'tls_failed',
  'timeout',
  'malformed',
  'budget_used_up',
] as const;
export type VisitFailure = (typeof VISIT_FAILURES)[number];

export const isResponse = (visit: SiteResponse | VisitFailure | undefined): visit is SiteResponse =>
  typeof visit === 'object';

/** What the site's TLS says of itself. All moments are milliseconds since the Unix epoch. */
export interface TlsFacts {
  /** As OpenSSL names it, such as `TLSv1.3`. */
  readonly protocol: string;
  readonly validFrom: number;
  readonly validTo: number;
  readonly matchesHost: boolean;
  readonly selfSigned: boolean;
  /** The first thing wrong with the chain, as an OpenSSL code; null when a browser would trust it. */
  readonly chainProblem: string | null;
}
