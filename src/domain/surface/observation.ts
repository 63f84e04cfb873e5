import type { ProbeId } from './probes.ts';
import { isResponse, type SiteResponse, type Visit, type VisitFailure } from './visit.ts';

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

/** A moment as evidence shows it. */
export const dayOf = (atMs: number): string =>
  Number.isFinite(atMs) ? new Date(atMs).toISOString().slice(0, 10) : 'an invalid date';
