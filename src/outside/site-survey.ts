import { homeVisit, type SurfaceObservation } from '../domain/surface/observation.ts';
import { PROBE_IDS, PROBES } from '../domain/surface/probes.ts';
import { isOfSite, type SurfaceTarget } from '../domain/surface/target.ts';
import type { Visit } from '../domain/surface/visit.ts';
import type { Network } from './site-visit/network.ts';
import { createSiteVisitor } from './site-visit/visitor.ts';

/** Observes and cancels a running survey. */
export interface SurveyWatch {
  /** Cancels the survey before its next request; its result is then meaningless. */
  readonly signal: AbortSignal;
  /** Called for each request with the number so far, at most 25. */
  readonly onRequest: (requests: number) => void;
}

/**
 * Scans a site from outside, with at most 25 requests in 25 seconds; never fails.
 *
 * @returns `cut_off` when nothing answered because this host has no network or no resolver
 */
export type SurveySite = (
  target: SurfaceTarget,
  watch?: SurveyWatch,
) => Promise<SurfaceObservation | 'cut_off'>;

export interface SurveyOptions {
  readonly network: Network;
  /** Whether sites at private addresses may be visited. */
  readonly allowPrivate: boolean;
  /** Version of this service, for the User-Agent. */
  readonly version: string;
  readonly now: () => number;
  readonly totalMsMax?: number;
}

const TOTAL_MS_MAX = 25_000;
const REQUEST_MS_MAX = 8_000;
const HOME_BYTES_MAX = 64 * 1024;
const PROBE_BYTES_MAX = 16 * 1024;
/** Concurrent requests to the site. */
const CONCURRENT_REQUESTS_MAX = 4;

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
    const visitHome = async (origin: string | null): Promise<readonly Visit[]> =>
      origin === null ? [] : visitor.follow(new URL(basePath, origin), HOME_BYTES_MAX);

    const [https, http] = await Promise.all([visitHome(httpsOrigin), visitHome(httpOrigin)]);
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
    const limited = createLimiter(CONCURRENT_REQUESTS_MAX);
    const [control, legacyTls, probes] = await Promise.all([
      limited(() => get(`redoubt-check-${crypto.randomUUID()}.txt`)),
      limited(async () => {
        const [first] = https;
        if (!first?.tls && first?.answer !== 'tls_failed') return null;
        const accepts = await visitor.acceptsLegacyTls(first.url);
        return typeof accepts === 'boolean' ? accepts : null;
      }),
      Promise.all(PROBE_IDS.map((id) => limited(async () => [id, await get(PROBES[id])] as const))),
    ]);
    return { ...seen, control, legacyTls, probes: Object.fromEntries(probes) };
  };
}

/** Limits concurrency; tasks start in the order of their calls. */
function createLimiter(tasksMax: number) {
  const waiting: (() => void)[] = [];
  let free = tasksMax;
  return async <Value>(task: () => Promise<Value>): Promise<Value> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
