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

/** A page. */
export const getAt = endpointAt('GET');

/** The target of a page's form. */
export const postAt = endpointAt('POST');

/** Endpoints behind a check of every request. */
export const behind = (guard: (context: HookContext) => void, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map(({ handle, ...endpoint }) => ({
    ...endpoint,
    handle: ({ request, set, params }) => {
      guard({ request, set });
      return handle({ request, set, params });
    },
  }));
