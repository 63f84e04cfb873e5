import type { TSchema } from '@sinclair/typebox';
import type { RefusalCode } from '../../domain/refusal.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import { whenReady } from '../../lib/when-ready.ts';
import type { HookContext } from '../context.ts';
import { bodyCodes, ENVELOPED } from '../contract/answers.ts';
import type { JsonBody } from './json-body.ts';
import { type PathParams, paramsReader } from './path-params.ts';
import type { QueryRules } from './query-rules.ts';
import type { Answers, Arrival, Method, MethodAndPath, Operation, Parameter, Route } from './route.ts';

/** A property that exists only on requests of routes that define it. */
type Present<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Readonly<Record<Name, Value>>;

/** A checked request, as its handler receives it. */
export type Asked<At extends string, Query, Body> = HookContext & {
  readonly params: PathParams<At>;
} & Present<'query', Query> &
  Present<'body', Body>;

/** A request that may still lack its query or body. */
interface Read<At extends string, Query, Body> extends HookContext {
  readonly params: PathParams<At>;
  readonly query: Query | undefined;
  readonly body: Body | undefined;
}

/** A check that throws. Its result is ignored. */
type Guard = (context: HookContext) => unknown;

/** A route, with its checks in the order of execution. Routes without an `operationId` are not in the contract. */
export interface Definition<At extends MethodAndPath, Query, Body, Identity, Parts>
  extends Partial<Operation> {
  readonly at: At;
  /** Headers of all answers, including refusals. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A check between authentication and the body. */
  readonly before?: (parts: Parts) => Guard;
  readonly body?: JsonBody<Body>;
  /** Called when all of the body has arrived, before it is parsed. */
  readonly arrived?: (parts: Parts) => (context: HookContext, bytes: number) => Awaitable<void>;
  readonly query?: QueryRules<Query>;
  /** The schema of a success. */
  readonly answer?: TSchema;
  /** How answers are enclosed; by default in the envelope. */
  readonly answers?: Answers;
  /** Refusals in addition to those of body, query, plan and authentication. */
  readonly codes?: readonly RefusalCode[];
  /** Returns the data of the answer, or a complete `Response`. See `created` for handlers with state between requests. */
  readonly handle: (asked: Asked<At, Query, Body> & Identity, parts: Parts) => unknown;
}

/** The authentication of one kind of route. */
export interface Guarding<Identity, Parts> {
  /** Listed before those of the body. */
  readonly codes: readonly RefusalCode[];
  /** Listed after those of the body. */
  readonly gateCodes: readonly RefusalCode[];
  readonly security: readonly object[];
  /** The first check of every request. */
  readonly begin?: (parts: Parts) => Guard | undefined;
  /** @throws Refusal */
  readonly identify: (parts: Parts) => (context: HookContext) => Awaitable<Identity>;
}

/** Creates a route. Every route checks its requests in this order. */
export function defineRoute<At extends MethodAndPath, Query, Body, Identity extends object, Parts>(
  definition: Definition<At, Query, Body, Identity, Parts>,
  guarding: Guarding<Identity, Parts>,
): Route<Parts> {
  const { at, headers, before, body, arrived, answer, answers = ENVELOPED, query, handle } = definition;
  const [method, path] = at.split(' ') as [Method, string];
  const readParams = paramsReader(at);
  const finish = (answered: unknown) =>
    answer === undefined || answered instanceof Response ? answered : answers.enclose(answered);

  const isWhole = (
    asked: Identity & Read<At, Query, Body>,
  ): asked is Identity & Read<At, Query, Body> & Asked<At, Query, Body> =>
    (query !== undefined) === (asked.query !== undefined) &&
    (body !== undefined) === (asked.body !== undefined);

  return {
    method,
    path,
    operationId: definition.operationId,
    responses: answer && answers.schemas(answer, ...codesOf(definition, guarding)),
    contract:
      definition.operationId === undefined
        ? undefined
        : { detail: detailOf(definition, query?.parameters ?? [], guarding.security), body },
    serve: (parts) => {
      const begin = guarding.begin?.(parts);
      const identify = guarding.identify(parts);
      const guard = before?.(parts);
      const taken = arrived?.(parts);

      const answerTo = ({ request, set, params }: Arrival, identity: Identity, read?: Body) => {
        const found = { request, set, params: readParams(params), query: query?.read(request), body: read };
        const asked = Object.assign(found, identity);
        if (!isWhole(asked)) throw new Error(`${path} is served without what its handler needs`);
        return handle(asked, parts);
      };
      const readBody = async (rules: JsonBody<Body>, arrival: Arrival, identity: Identity) => {
        const read = await rules.read(arrival, taken);
        const answered = answerTo(arrival, identity, rules.check(read));
        return finish(answered instanceof Promise ? await answered : answered);
      };
      const goOn = (arrival: Arrival, identity: Identity) =>
        body ? readBody(body, arrival, identity) : whenReady(answerTo(arrival, identity), finish);
      const checkGuard = (arrival: Arrival, identity: Identity) =>
        guard ? whenReady(guard(arrival), () => goOn(arrival, identity)) : goOn(arrival, identity);

      // Closures only where something must be awaited: they measurably slow down routes that answer from memory.
      return (arrival) => {
        if (headers) Object.assign(arrival.set.headers, headers);
        begin?.(arrival);
        const identity = identify(arrival);
        return identity instanceof Promise
          ? identity.then((found) => checkGuard(arrival, found))
          : checkGuard(arrival, identity);
      };
    },
  };
}

interface Refusing {
  readonly body?: Pick<JsonBody<unknown>, 'refusedAs'>;
  readonly query?: object;
  readonly codes?: readonly RefusalCode[];
}

const codesOf = (
  { body, query, codes = [] }: Refusing,
  guarding: Pick<Guarding<object, never>, 'codes' | 'gateCodes'>,
): readonly RefusalCode[] => [
  ...guarding.codes,
  ...(body ? bodyCodes(body.refusedAs) : []),
  ...guarding.gateCodes,
  ...(query ? (['INVALID_QUERY'] as const) : []),
  ...codes,
];

/** @param security for routes that do not define their own */
const detailOf = (
  { operationId, summary, description, tag, requestBody, parameters = [], ...definition }: Partial<Operation>,
  asked: readonly Parameter[],
  security: readonly object[],
): object => ({
  operationId,
  summary,
  description,
  tags: [tag],
  security: definition.security ?? security,
  ...(parameters.length + asked.length > 0 ? { parameters: [...parameters, ...asked] } : {}),
  ...(requestBody ? { requestBody } : {}),
});
