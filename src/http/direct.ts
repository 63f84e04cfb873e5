import type { LogAccess } from './access-log.ts';
import { completeJson, type HookContext } from './context.ts';

/** A route as one function: its hooks in their order, its rule and its whole answer. */
export type DirectRoute = (context: HookContext) => Response | Promise<Response>;

export interface DirectRules {
  /** By method and path, such as `GET /api/v1/threat-feed`. */
  readonly routes: ReadonlyMap<string, DirectRoute>;
  readonly stamp: (context: HookContext) => void;
  readonly answerFailure: (failure: HookContext & DirectFailure) => object;
  readonly logAccess: LogAccess;
}

interface DirectFailure {
  readonly code: 'UNKNOWN';
  readonly error: unknown;
  readonly path: string;
  readonly route: string;
}

const PATH_STARTS_AT_MIN = 'http://h'.length;

/**
 * Answers the routes that every site asks all day ahead of Elysia, whose own work on a request costs more
 * than all of theirs. The same functions stand in the controllers, for the contract and for every request
 * that is not plainly one of these: with a query, a HEAD, a Host that leaves no whole address.
 *
 * @returns undefined for a request that is Elysia's
 */
export function answerDirectly({ routes, stamp, answerFailure, logAccess }: DirectRules) {
  return (request: Request): Response | Promise<Response> | undefined => {
    const { method, url } = request;
    if (!url.startsWith('http')) return undefined;
    const path = url.slice(url.indexOf('/', PATH_STARTS_AT_MIN));
    const route = routes.get(`${method} ${path}`);
    if (route === undefined) return undefined;

    const context: HookContext = { request, set: { headers: {} } };
    const answered = (response: Response): Response => {
      logAccess({ ...context, route: path });
      return response;
    };
    const failed = (error: unknown): Response => {
      const body = answerFailure({ ...context, error, code: 'UNKNOWN', path, route: path });
      return completeJson(context.set, Number(context.set.status), body);
    };

    stamp(context);
    try {
      const answer = route(context);
      return answer instanceof Promise ? answer.then(answered, failed) : answered(answer);
    } catch (error) {
      return failed(error);
    }
  };
}
