import type { Socket } from 'node:net';
import { isVisitable } from '../../domain/surface/address.ts';
import { redirectTarget, type TlsFacts, type Visit, type VisitFailure } from '../../domain/surface/visit.ts';
import { within } from '../../lib/within.ts';
import { createAddressBook } from './addresses.ts';
import { dialFirst } from './dial.ts';
import { acceptsLegacyTls } from './legacy-tls.ts';
import type { Network } from './network.ts';
import { readResponse } from './response.ts';
import { startTls } from './tls.ts';

export interface VisitorOptions {
  readonly network: Network;
  readonly allowPrivate: boolean;
  /** Who we say we are. */
  readonly userAgent: string;
  /** Whether a host belongs to the site; no other is connected to. */
  readonly mayVisit: (host: string) => boolean;
  /** For all of its visits together. */
  readonly totalMsMax: number;
  /** For one request, from resolving to the last byte. */
  readonly requestMsMax: number;
  /** Ends the visits: no request is begun after. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each request, with how many there were so far. */
  readonly onRequest?: ((requests: number) => void) | undefined;
}

/** Requests and connections of one scan. */
export const REQUESTS_MAX = 25;
const REDIRECTS_MAX = 3;
const URL_CHARACTERS_MAX = 2_048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * A visitor for one scan of one site: sends GET as anybody could, without cookies or credentials, and only to
 * addresses that were checked (domain/surface/address.ts). Every expected failure is a value.
 */
export function createSiteVisitor(options: VisitorOptions) {
  const { network, allowPrivate, userAgent, mayVisit, totalMsMax, requestMsMax, signal, onRequest } = options;
  const addresses = createAddressBook(network.lookup, (address) => isVisitable(address, allowPrivate));
  const endsAtMs = performance.now() + totalMsMax;
  let requests = 0;
  /** Addresses that were dialled, and the last port there. */
  const dialled = new Map<string, number>();

  /** Runs one request within its limits; closes everything that it opened at its end or timeout. */
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
      addresses.settleOn(url.hostname, found.address);
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
    /** Requests one URL; a redirect is an answer like any other. */
    get: (url: URL, bodyBytesMax: number): Promise<Visit> => visit(url, bodyBytesMax),

    /** Requests a URL and follows at most 3 redirects, each checked like the first; all visits, the last one last. */
    async follow(url: URL, bodyBytesMax: number): Promise<[Visit, ...Visit[]]> {
      const visits: [Visit, ...Visit[]] = [await visit(url, bodyBytesMax)];
      for (let hops = 0; hops < REDIRECTS_MAX; hops++) {
        const next = nextOf(visits.at(-1) as Visit, url, mayVisit);
        if (next === undefined) break;
        visits.push(await visit(next, bodyBytesMax));
      }
      return visits;
    },

    /** Whether a server still speaks TLS 1.0 or 1.1. */
    acceptsLegacyTls: (url: URL): Promise<boolean | VisitFailure> =>
      request(async (ended) => {
        const socket = await connectTo(url, ended);
        return typeof socket === 'string' ? socket : acceptsLegacyTls(socket, url.hostname);
      }),

    /** Whether nothing answered because this host's own resolver or network fails, as far as it can tell. */
    async isCutOff(): Promise<boolean> {
      if (dialled.size === 0) return addresses.isResolverDead();
      const ways = [...dialled].map(([address, port]) => network.hasWayTo(address, port).catch(() => false));
      return !(await Promise.all(ways)).includes(true);
    },

    get requests(): number {
      return requests;
    },
  };
}

/** Where a visit redirects to, when that may be visited: by http or https, on its default port or the first URL's. */
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
