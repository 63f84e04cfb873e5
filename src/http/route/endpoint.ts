import type { HookContext } from '../context.ts';
import { type PathParams, paramsReader } from './path-params.ts';
import type { Endpoint, Method } from './route.ts';

interface Arrived<Path extends string> extends HookContext {
  readonly params: PathParams<Path>;
}

const endpointAt =
  (method: Method) =>
  <const Path extends string>(path: Path, handle: (arrived: Arrived<Path>) => unknown): Endpoint => {
    const read = paramsReader(path);
    return {
      method,
      path,
      handle: ({ request, set, params }) => handle({ request, set, params: read(params) }),
    };
  };

/** An endpoint that returns a page. */
export const getAt = endpointAt('GET');

/** An endpoint that receives the form of a page. */
export const postAt = endpointAt('POST');

/** Adds a check to all requests of some endpoints. */
export const behind = (guard: (context: HookContext) => void, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map(({ handle, ...endpoint }) => ({
    ...endpoint,
    handle: ({ request, set, params }) => {
      guard({ request, set });
      return handle({ request, set, params });
    },
  }));
