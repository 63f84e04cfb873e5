import type { TSchema } from '@sinclair/typebox';
import type { RefusalCode } from '../../domain/refusal.ts';
import type { ArgumentOf } from '../../lib/argument-of.ts';
import type { HookContext } from '../context.ts';

export type Method = 'GET' | 'POST';

/** Such as `GET /sites/:siteId`. */
export type MethodAndPath = `${Method} ${string}`;

/** A request, with the parameters of its path. */
export interface Arrival extends HookContext {
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The schemas of a route's answers, by status. */
export type Responses = Readonly<Record<number, TSchema>>;

/** A method and a path, and the function that answers there. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  /** Its name in the contract. */
  readonly operationId?: string | undefined;
  /** Checks its answers; undefined outside the contract. */
  readonly responses?: Responses | undefined;
  readonly handle: (arrival: Arrival) => unknown;
}

/** A parameter of an operation, as OpenAPI writes it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: object;
}

/** The operation of a route in the contract. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  readonly parameters?: readonly Parameter[];
  /** Replaces the schema of the body where one schema is not enough. */
  readonly requestBody?: object;
  /** Replaces the security of its kind of route. */
  readonly security?: readonly object[];
}

/** A body in the contract. */
export interface BodyContract {
  readonly schema: TSchema | undefined;
  readonly capBytes: number;
  /** Whether an empty body is allowed. */
  readonly isOptional: boolean;
}

/** A route in the contract. */
export interface RouteContract {
  readonly detail: object;
  readonly body: BodyContract | undefined;
}

/** A route as data. The contract is generated from it without the service. */
export interface Route<Parts> extends Omit<Endpoint, 'handle'> {
  /** Undefined outside the contract. */
  readonly contract: RouteContract | undefined;
  readonly serve: (parts: Parts) => Endpoint['handle'];
}

/** The parts that some routes use, all together. */
export type PartsOf<Routes extends readonly Route<never>[]> = ArgumentOf<Routes[number]['serve']>;

/** How the success and the refusals of a route become answers. */
export interface Answers {
  /** Response schemas by status. */
  readonly schemas: (success: TSchema, ...codes: readonly RefusalCode[]) => Responses;
  /** Turns what a handler returned into the answer. Not called for a `Response`. */
  readonly enclose: (success: unknown) => unknown;
}

/** Creates endpoints. Each handler is created by its first request, so that a start creates none. */
export const endpointsOf = <const Routes extends readonly Route<never>[]>(
  routes: Routes,
  parts: PartsOf<Routes>,
): Endpoint[] =>
  routes.map(({ serve, contract: _, ...endpoint }) => {
    let made: Endpoint['handle'] | undefined;
    const handle = (arrival: Arrival) => {
      made ??= serve(parts as never);
      return made(arrival);
    };
    return { ...endpoint, handle };
  });

/** Prefixes the paths of endpoints or routes. */
export const below = <Placed extends { readonly path: string }>(
  base: string,
  placed: readonly Placed[],
): Placed[] => placed.map((each) => ({ ...each, path: base + each.path }));
