import type { TSchema } from '@sinclair/typebox';
import type { RefusalCode } from '../../domain/refusal.ts';
import type { ArgumentOf } from '../../lib/argument-of.ts';
import type { HookContext } from '../context.ts';

export type Method = 'GET' | 'POST';

/** For example `GET /sites/:siteId`. */
export type MethodAndPath = `${Method} ${string}`;

/** A request with its path parameters. */
export interface Arrival extends HookContext {
  readonly params?: Readonly<Record<string, string>> | undefined;
}

/** The schemas of a route's answers, by status. */
export type Responses = Readonly<Record<number, TSchema>>;

/** A method and path, and its handler. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  /** The name in the contract. */
  readonly operationId?: string | undefined;
  /** Used to check the answers; undefined outside the contract. */
  readonly responses?: Responses | undefined;
  readonly handle: (arrival: Arrival) => unknown;
}

/** A parameter of an operation in OpenAPI's form. */
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
  /** Replaces the schema of the body, for operations that need more than one schema. */
  readonly requestBody?: object;
  /** Replaces the default security of this kind of route. */
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

/** A route as data, so that the contract can be generated without a running service. */
export interface Route<Parts> extends Omit<Endpoint, 'handle'> {
  /** Undefined outside the contract. */
  readonly contract: RouteContract | undefined;
  readonly serve: (parts: Parts) => Endpoint['handle'];
}

/** All parts that these routes use. */
export type PartsOf<Routes extends readonly Route<never>[]> = ArgumentOf<Routes[number]['serve']>;

/** How successes and refusals become answers. */
export interface Answers {
  /** Response schemas by status. */
  readonly schemas: (success: TSchema, ...codes: readonly RefusalCode[]) => Responses;
  /** Turns the result of a handler into the answer. Not called for a `Response`. */
  readonly enclose: (success: unknown) => unknown;
}

/** Creates endpoints. Each handler is created by its first request, which keeps startup fast. */
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
