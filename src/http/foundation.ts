import { Elysia } from 'elysia';
import type { Refusal } from '../domain/refusal.ts';
import { type Clock, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { VERSION } from '../lib/version.ts';
import { type AnsweredContext, logAccess, type NoteAnswer } from './access-log.ts';
import type { Caller, HookContext } from './context.ts';
import { answerFailure, type FailureRules } from './failures.ts';
import { capHeaders, capUrl, refuseOddHost, refuseTidiedPath, stampHeaders } from './headers.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { methodsOf } from './route/methods.ts';
import { mounted } from './route/mount.ts';
import type { Endpoint } from './route/route.ts';

/** Disables parsing. Elysia's types allow this value only for single routes. */
const NO_PARSER = 'none' as unknown as () => null;

export interface FoundationParts
  extends Pick<FailureRules, 'flatPaths' | 'pageAt' | 'awayRefusal' | 'showLimits'> {
  readonly log: Log;
  readonly clock: Clock;
  readonly requestMetrics: Pick<RequestMetrics, 'observe'>;
  readonly noteAnswer: NoteAnswer;
  /** Whether the listener itself speaks TLS. */
  readonly overTls: boolean;
  /** `max-age` of Strict-Transport-Security in seconds; undefined = no header. */
  readonly hstsSeconds: number | undefined;
  /** Maximum time until a body has arrived, in seconds. */
  readonly bodyTimeoutSeconds: number;
  /** Whether the runtime may have normalized the path of a request. */
  readonly isTidied: (request: Request) => boolean;
  /** Refuses addresses that are not allowed. */
  readonly guard?: (context: HookContext) => void;
  /** The caller of an internal request; undefined for requests from outside. */
  readonly insideCallerOf?: (request: Request) => Caller | undefined;
  readonly countUnknownPath: (context: HookContext) => Refusal | undefined;
}

/** The checks that precede the routes of a listener, for known and unknown paths. */
export function onFoundation(parts: FoundationParts, endpoints: readonly Endpoint[]) {
  const { overTls, hstsSeconds, clock, guard = () => {}, insideCallerOf = () => undefined } = parts;
  const methodsAt = methodsOf(endpoints);
  const log = logAccess(parts.log, parts.requestMetrics, clock.monotonic, parts.noteAnswer);
  const failures = answerFailure({ ...parts, logAccess: log, methodsOf: methodsAt });
  // Behind a proxy, only the proxy knows whether the client used TLS, so it sends this header (RFC 6797, section 7.2).
  const hsts = overTls && hstsSeconds !== undefined ? `max-age=${hstsSeconds}` : undefined;
  const stamp = stampHeaders(
    VERSION,
    hsts,
    clock.monotonic,
    parts.bodyTimeoutSeconds * SECOND_MS,
    insideCallerOf,
  );
  const checkHost = refuseOddHost(overTls);
  const checkPath = refuseTidiedPath(parts.isTidied, (path) => methodsAt(path) !== undefined);

  const { fetch } = new Elysia({
    normalize: false,
    strictPath: true,
    // Where Elysia starts to look for the path: after `http://`, or for TLS after the shortest possible host;
    // refuseOddHost refuses the requests that this would misread.
    handler: { standardHostname: overTls },
  })
    // Before the router, which decodes paths of any length. This and the log are functions with a body, because Elysia decides
    // by their source text that there is nothing to await.
    .onRequest(function checkFirst({ request, set }: HookContext) {
      const context = { request, set };
      stamp(context);
      guard(context);
      checkHost(context);
      checkPath(context);
      capUrl(context);
      capHeaders(context);
    })
    // Bodies are read and checked by the routes' own hooks, under their caps. Elysia does neither then; to see whether there
    // is a body it would make a stream of it, which costs more than reading it.
    .onParse({ as: 'global' }, [NO_PARSER])
    .onError({ as: 'global' }, failures)
    .onAfterHandle({ as: 'global' }, function logAnswer({ request, set, route }: AnsweredContext) {
      log({ request, set, route });
    })
    .use(mounted(endpoints));
  return { fetch, paths: endpoints.map(({ path }) => path) };
}
