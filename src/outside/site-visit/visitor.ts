import type { Socket } from 'node:net';
import { isVisitable } from '../../domain/surface/address.ts';
import { redirectTarget, type TlsFacts, type Visit, type VisitFailure } from '../../domain/surface/visit.ts';
import { within } from '../../lib/within.ts';
import { createAddressCache } from './addresses.ts';
import { dialFirst } from './dial.ts';
import { acceptsLegacyTls } from './legacy-tls.ts';
import type { Network } from './network.ts';
import { readResponse } from './response.ts';
import { startTls } from './tls.ts';

export interface VisitorOptions {
  readonly network: Network;
  readonly allowPrivate: boolean;
  readonly userAgent: string;
  /** Whether a host belongs to the site; other hosts are never contacted. */
  readonly mayVisit: (host: string) => boolean;
  /** Time limit for all visits together. */
  readonly totalMsMax: number;
  /** Time limit for one request, from name resolution to the last byte. */
  readonly requestMsMax: number;
  /** Prevents further requests. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each request with the number so far. */
  readonly onRequest?: ((requests: number) => void) | undefined;
}

/** Limit of requests and connections for one scan. */
export const REQUESTS_MAX = 25;
const REDIRECTS_MAX = 3;
const URL_CHARACTERS_MAX = 2_048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * Creates a visitor for one scan of one site. It sends GET without cookies or credentials, and only to checked addresses
 * (domain/surface/address.ts). Expected failures are values.
 */
export function createSiteVisitor(options: VisitorOptions) {
  const { network, allowPrivate, userAgent, mayVisit, totalMsMax, requestMsMax, signal, onRequest } = options;
  const addresses = createAddressCache(network.lookup, (address) => isVisitable(address, allowPrivate));
  const endsAtMs = performance.now() + totalMsMax;
  let requests = 0;
  /** Dialled addresses with the last port. */
  const dialled = new Map<string, number>();

  /** Runs one request within its limits, then closes everything it opened. */
  async function request<Answer>(
    work: (ended: AbortSignal) => Promise<Answer | VisitFailure>,
  ): Promise<Answer | VisitFailure> {
    if (requests >= REQUESTS_MAX || signal?.aborted) return 'budget_used_up';
    const timeoutMs = Math.min(requestMsMax, endsAtMs - performance.now());
    if (timeoutMs < 1) return 'timeout';
    requests += 1;
    onRequest?.(requests);
    const end = new AbortController();
    try {
      return await within(work(end.signal), timeoutMs);
    } finally {
      end.abort();
    }
  }

  async function connectTo(url: URL, ended: AbortSignal): Promise<Socket | VisitFailure> {
    if (!mayVisit(url.hostname)) return 'forbidden_address';
    const known = await addresses.of(url.hostname);
    if (typeof known === 'string') return known;
    const port = Number(url.port) || (DEFAULT_PORTS[url.protocol] as number);
    const found = await dialFirst(network, { addresses: known, port }, ended, (address) =>
      dialled.set(address, port),
    );
    if (found) {
      addresses.pin(url.hostname, found.address);
      return found.socket;
    }
    return 'unreachable';
  }

  async function visit(url: URL, bodyBytesMax: number): Promise<Visit> {
    let facts: TlsFacts | undefined;
    const answer = await request(async (ended) => {
      const socket = await connectTo(url, ended);
      if (typeof socket === 'string') return socket;
      const tls = url.protocol === 'https:' ? await startTls(socket, url.hostname) : undefined;
      if (url.protocol === 'https:' && tls === undefined) return 'tls_failed';
      facts = tls?.facts;
      const stream = tls?.stream ?? socket;
      stream.write(requestHead(url, userAgent));
      return (await readResponse(stream, bodyBytesMax).catch(() => undefined)) ?? 'malformed';
    });
    return { url, answer, tls: facts ?? null };
  }

  return {
    /** Requests one URL, without following redirects. */
    get: (url: URL, bodyBytesMax: number): Promise<Visit> => visit(url, bodyBytesMax),

    /** Requests a URL and follows at most 3 redirects, each checked like the first. Returns all visits in order. */
    async follow(url: URL, bodyBytesMax: number): Promise<[Visit, ...Visit[]]> {
      const visits: [Visit, ...Visit[]] = [await visit(url, bodyBytesMax)];
      for (let hops = 0; hops < REDIRECTS_MAX; hops++) {
        const next = nextOf(visits.at(-1) as Visit, url, mayVisit);
        if (next === undefined) break;
        visits.push(await visit(next, bodyBytesMax));
      }
      return visits;
    },

    acceptsLegacyTls: (url: URL): Promise<boolean | VisitFailure> =>
      request(async (ended) => {
        const socket = await connectTo(url, ended);
        return typeof socket === 'string' ? socket : acceptsLegacyTls(socket, url.hostname);
      }),

    /** Whether nothing answered because the resolver or the network of this host fails, according to the tests it can run. */
    async isCutOff(): Promise<boolean> {
      if (dialled.size === 0) return addresses.isResolverDead();
      const routes = [...dialled].map(([address, port]) =>
        network.hasRouteTo(address, port).catch(() => false),
      );
      return !(await Promise.all(routes)).includes(true);
    },

    get requests(): number {
      return requests;
    },
  };
}

/** The target of a redirect, if it may be visited: http or https, on the default port or the port of the first URL. */
function nextOf(visit: Visit, first: URL, mayVisit: (host: string) => boolean): URL | undefined {
  const next = redirectTarget(visit);
  if (next === undefined || next.href.length > URL_CHARACTERS_MAX) return undefined;
  if (!(next.protocol in DEFAULT_PORTS) || (next.port !== '' && next.port !== first.port)) return undefined;
  return mayVisit(next.hostname) ? next : undefined;
}

const requestHead = ({ pathname, search, host }: URL, userAgent: string) =>
  [
    `GET ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    `User-Agent: ${userAgent}`,
    'Accept: */*',
    'Accept-Encoding: identity',
    'Connection: close',
    '\r\n',
  ].join('\r\n');
