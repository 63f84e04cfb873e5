import { homeVisit, type SurfaceObservation } from '../domain/surface/observation.ts';
import { PROBE_IDS, PROBES } from '../domain/surface/probes.ts';
import { isOfSite, type SurfaceTarget } from '../domain/surface/target.ts';
import type { Visit } from '../domain/surface/visit.ts';
import type { Network } from './site-visit/network.ts';
import { createSiteVisitor } from './site-visit/visitor.ts';

/** Follows a survey while it runs. */
export interface SurveyWatch {
  /** Ends it with its next request; what it says then is of no use. */
  readonly signal: AbortSignal;
  /** Called for each request, with how many there were so far; of 25 at most. */
  readonly onRequest: (requests: number) => void;
}

/**
 * Looks at a site from outside; takes at most 25 requests and 25 seconds, and never fails.
 *
 * @returns `cut_off` when nothing answered because this host itself has no network or no resolver
 */
export type SurveySite = (
  target: SurfaceTarget,
  watch?: SurveyWatch,
) => Promise<SurfaceObservation | 'cut_off'>;

export interface SurveyOptions {
  readonly network: Network;
  /** Whether sites at private addresses may be visited. */
  readonly allowPrivate: boolean;
  /** Of this service, for its User-Agent. */
  readonly version: string;
  readonly now: () => number;
  readonly totalMsMax?: number;
}

const TOTAL_MS_MAX = 25_000;
const REQUEST_MS_MAX = 8_000;
const HOME_BYTES_MAX = 64 * 1024;
const PROBE_BYTES_MAX = 16 * 1024;
/** Requests to the site at a time. */
const LANES = 4;

export function createSiteSurvey({
  network,
  allowPrivate,
  version,
  now,
  totalMsMax = TOTAL_MS_MAX,
}: SurveyOptions): SurveySite {
  return async ({ domain, httpsOrigin, httpOrigin, basePath }, watch) => {
    const visitor = createSiteVisitor({
      network,
      allowPrivate,
      userAgent: `Redoubt/${version} (site check requested by the site's owner)`,
      mayVisit: (host) => isOfSite(domain, host),
      totalMsMax,
      requestMsMax: REQUEST_MS_MAX,
      ...watch,
    });
    const lookFrom = async (origin: string | null): Promise<readonly Visit[]> =>
      origin === null ? [] : visitor.follow(new URL(basePath, origin), HOME_BYTES_MAX);

    const [https, http] = await Promise.all([lookFrom(httpsOrigin), lookFrom(httpOrigin)]);
    const home = homeVisit({ https, http });
    const base = new URL(basePath, (home ?? https[0] ?? http[0])?.url);
    const seen = {
      at: now(),
      base,
      https,
      http,
      legacyTls: null,
      control: 'unreachable',
      probes: {},
    } as const;
    if (home === undefined) return (await visitor.isCutOff()) ? 'cut_off' : seen;

    const get = async (path: string) => (await visitor.get(new URL(path, base), PROBE_BYTES_MAX)).answer;
    const lane = createLanes(LANES);
    const [control, legacyTls, probes] = await Promise.all([
      lane(() => get(`redoubt-check-${crypto.randomUUID()}.txt`)),
      lane(async () => {
        const [first] = https;
        if (!first?.tls && first?.answer !== 'tls_failed') return null;
        const accepts = await visitor.acceptsLegacyTls(first.url);
        return typeof accepts === 'boolean' ? accepts : null;
      }),
      Promise.all(PROBE_IDS.map((id) => lane(async () => [id, await get(PROBES[id])] as const))),
    ]);
    return { ...seen, control, legacyTls, probes: Object.fromEntries(probes) };
  };
}

/** Runs what it is given, at most so many at a time, in the order given. */
function createLanes(lanesMax: number) {
  const waiting: (() => void)[] = [];
  let free = lanesMax;
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
