/** An answer of the site, as far as it was read. */
export interface SiteResponse {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Values by lower-case name, in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Its beginning, up to the reader's cap; empty when it came in a coding that we do not read. */
  readonly body: string;
  /** Whether it came to its end, within that cap. */
  readonly isWhole: boolean;
}

/** Why there is no answer. */
export type VisitFailure =
  | 'unresolvable'
  | 'forbidden_address'
  | 'unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'malformed'
  | 'budget_used_up';

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

/** One request and what came of it. */
export interface Visit {
  readonly url: URL;
  readonly answer: SiteResponse | VisitFailure;
  /** Null when no TLS was spoken. */
  readonly tls: TlsFacts | null;
}

export const isResponse = (answer: SiteResponse | VisitFailure | undefined): answer is SiteResponse =>
  typeof answer === 'object';

/** Where a redirect leads; undefined when an answer is none, or leads nowhere. */
export function redirectTarget({ url, answer }: Visit): URL | undefined {
  if (!isResponse(answer) || ![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  const [location] = answer.headers.get('location') ?? [];
  return location === undefined ? undefined : (URL.parse(location, url.href) ?? undefined);
}

/** All values of a header as one text; undefined when it is absent. */
export const headerOf = ({ headers }: SiteResponse, name: string): string | undefined =>
  headers.get(name)?.join(', ');
