import { isRefusal } from '../../src/domain/refusal.ts';
import type { Exchange } from '../../src/http/context.ts';
import { endpointsOf, type Route } from '../../src/http/route/route.ts';
import { STATUS_OF } from '../../src/http/statuses.ts';

/** The parts of a route, of which a test creates only the used ones. */
export type PartsFor<One> = One extends Route<infer Parts> ? Parts : never;

interface Asking {
  readonly params?: Readonly<Record<string, string>>;
  readonly exchange?: Exchange;
}

/** A route alone, without the steps of every request. */
export function alone<Parts>(route: Route<Parts>, parts: Parts) {
  const [endpoint] = endpointsOf([route], parts);
  if (endpoint === undefined) throw new Error('a route has one endpoint');
  return async (request: Request, { params, exchange }: Asking = {}): Promise<Response> => {
    try {
      const set = { headers: {}, ...(exchange === undefined ? {} : { exchange }) };
      const answer = await endpoint.handle({ request, set, params });
      return answer instanceof Response ? answer : Response.json(answer);
    } catch (refusal) {
      return Response.json(refusal, { status: isRefusal(refusal) ? STATUS_OF[refusal.refused] : 500 });
    }
  };
}
