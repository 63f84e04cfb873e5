import type { ProbeId } from './probes.ts';

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

/** What one look at a site from outside has shown. */
export interface SurfaceObservation {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** What the paths of the probes are relative to, such as `https://shop.com/blog/`. */
  readonly base: URL;
  /** From the site's address by each scheme along its redirects; empty when that scheme was not looked at. */
  readonly https: readonly Visit[];
  readonly http: readonly Visit[];
  /** Whether the server agrees to TLS 1.0 or 1.1; null when that is not known. */
  readonly legacyTls: boolean | null;
  /** What the site answers for a path that cannot exist. */
  readonly control: SiteResponse | VisitFailure;
  readonly probes: Readonly<Partial<Record<ProbeId, SiteResponse | VisitFailure>>>;
}

export const isResponse = (answer: SiteResponse | VisitFailure | undefined): answer is SiteResponse =>
  typeof answer === 'object';

type AnsweredVisit = Visit & { readonly answer: SiteResponse };

/** How far a visitor comes: the last answer along the redirects, by HTTPS when that answers, else by HTTP. */
export const homeVisit = ({ https, http }: Pick<SurfaceObservation, 'https' | 'http'>) =>
  [...https.toReversed(), ...http.toReversed()].find((visit): visit is AnsweredVisit =>
    isResponse(visit.answer),
  );

/** The same when it is a page and not an error or a way to somewhere else. */
export function homePage(observation: SurfaceObservation) {
  const home = homeVisit(observation);
  return home?.answer.status === 200 ? home : undefined;
}

/** Where a redirect leads; undefined when an answer is none, or leads nowhere. */
export function redirectTarget({ url, answer }: Visit): URL | undefined {
  if (!isResponse(answer) || ![301, 302, 303, 307, 308].includes(answer.status)) return undefined;
  const [location] = answer.headers.get('location') ?? [];
  return location === undefined ? undefined : (URL.parse(location, url.href) ?? undefined);
}

/** All values of a header as one text; undefined when it is absent. */
export const headerOf = ({ headers }: SiteResponse, name: string): string | undefined =>
  headers.get(name)?.join(', ');

/** A moment as evidence shows it. */
export const dayOf = (atMs: number): string =>
  Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(0, 10) : 'an unreadable date';
