import { type AnyElysia, Elysia } from 'elysia';
import { refuseDoubles } from '../../lib/refuse-doubles.ts';
import { routeName } from './methods.ts';
import type { BodyContract, Endpoint, Route } from './route.ts';

/**
 * Registers endpoints with Elysia, which decides by the source text of handlers what it prepares for each request.
 *
 * @throws Fault if two endpoints have the same method and path; names both
 */
export function mounted(endpoints: readonly Endpoint[]) {
  refuseDoubles(
    'route',
    endpoints.map((endpoint, at) => ({
      name: routeName(endpoint),
      place: `${endpoint.operationId ?? 'a page'} (number ${at + 1} of its listener)`,
    })),
  );
  const app = new Elysia();
  for (const { method, path, responses, handle } of endpoints) {
    app.route(method, path, ({ request, set, params }) => handle({ request, set, params }), {
      ...(responses === undefined ? {} : { response: { ...responses } }),
    });
  }
  return app;
}

/** The source of a contract. */
export interface Documented {
  /** Returns an app that serves the document of this generator. */
  readonly with: (generator: AnyElysia) => Pick<AnyElysia, 'handle'>;
  /** The body of an operation, with its path in OpenAPI's form; undefined if it has none. */
  readonly bodyOf: (method: string, path: string) => BodyContract | undefined;
}

/** Prepares routes for the generator of documents, which serves none of them. */
export function documented(routes: readonly Route<never>[]): Documented {
  const app = new Elysia();
  const bodies = new Map<string, BodyContract>();
  for (const { method, path, responses, contract } of routes) {
    if (contract === undefined) continue;
    const { detail, body } = contract;
    if (body) bodies.set(keyOf(method, path.replace(/:(\w+)/g, '{$1}')), body);
    app.route(method, path, () => undefined, {
      ...(body?.schema === undefined ? {} : { body: body.schema }),
      ...(responses === undefined ? {} : { response: { ...responses } }),
      detail,
    });
  }
  return {
    with: (generator) => new Elysia().use(generator).use(app),
    bodyOf: (method, path) => bodies.get(keyOf(method, path)),
  };
}

const keyOf = (method: string, path: string): string => `${method.toLowerCase()} ${path}`;
