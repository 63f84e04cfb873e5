import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { whenReady } from '../lib/when-ready.ts';
import type { LogAccess } from './access-log.ts';
import { HEADER, type HookContext } from './context.ts';
import { STATUS_OF } from './statuses.ts';

export interface FailureRules {
  readonly log: Log;
  readonly logAccess: LogAccess;
  /** Additional fields of flat refusals, by path. Refusals of all other paths use the envelope. */
  readonly flatPaths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Renders refusals of a path as a page; undefined for paths that programs call. */
  readonly pageAt: (path: string) => ((set: HookContext['set'], refusal: Refusal) => Response) | undefined;
  /** The refusal for an error caused by an unreachable database; undefined for other errors. */
  readonly awayRefusal: (error: unknown) => Refusal | undefined;
  /** The methods of a path; undefined for unknown paths. */
  readonly methodsOf: (path: string) => readonly string[] | undefined;
  /** Counts a request for an unknown path or method; returns a refusal if there were too many. */
  readonly countUnknownPath: (context: HookContext) => Refusal | undefined;
  /** Sets the rate limit headers if no limit has. */
  readonly showLimits: (context: HookContext) => void | Promise<void>;
}

interface FailureContext extends HookContext {
  readonly route?: string;
  readonly code: string | number;
  readonly error: unknown;
  readonly path: string;
}

/** Turns any failure into an answer that contains neither the caller's input nor internal details. */
export function answerFailure(rules: FailureRules) {
  const { log, logAccess, flatPaths, pageAt, awayRefusal, methodsOf, countUnknownPath, showLimits } = rules;

  const refusalOf = ({ request, set, code, error, path }: FailureContext): Refusal => {
    if (isRefusal(error)) return error;
    const away = awayRefusal(error);
    if (away) return away;
    if (code === 'NOT_FOUND') {
      const limited = countUnknownPath({ request, set });
      if (limited) return limited;
      const methods = methodsOf(path);
      if (methods === undefined) return refuse('NOT_FOUND', 'Unknown path.');
      set.headers.allow = methods.join(', ');
      return refuse('METHOD_NOT_ALLOWED', 'This path does not support this method.');
    }
    const id = set.headers[HEADER.requestId];
    log.error('unexpected error', { request_id: id, fault: faultOf(error) });
    return refuse('INTERNAL', `Internal error. Request ID: ${id}`);
  };

  // Elysia reads this function's source text and parses only the named properties of each request.
  return ({ request, set, code, error, path, route }: FailureContext) => {
    const refusal = refusalOf({ request, set, code, error, path });
    const { refused, message, retryAfterSeconds, licenseId } = refusal;
    set.status = STATUS_OF[refused];
    if (retryAfterSeconds !== undefined) set.headers[HEADER.retryAfter] = String(retryAfterSeconds);
    // The rest of the body will not be read.
    if (refused === 'PAYLOAD_TOO_LARGE' || refused === 'REQUEST_TIMEOUT') set.headers.connection = 'close';
    if (refused === 'UNAUTHORIZED' || refused === 'INVALID_KEY') set.headers['www-authenticate'] = 'Bearer';
    const shown = set.headers[HEADER.remaining] === undefined ? showLimits({ request, set }) : undefined;
    return whenReady(shown, () => {
      logAccess({ request, set, code: refused, ...(route ? { route } : {}) });
      const showPage = pageAt(path);
      if (showPage) return showPage(set, refusal);
      const flat = refused === 'METHOD_NOT_ALLOWED' ? undefined : flatPaths[path];
      // If the license could not be looked up, the answer must not call it invalid.
      if (flat) return { ...(refused === 'STORE_UNAVAILABLE' ? {} : flat), error: refused, message };
      const about = licenseId === undefined ? {} : { license_id: licenseId };
      return { success: false, error: { code: refused, message, ...about } };
    });
  };
}
