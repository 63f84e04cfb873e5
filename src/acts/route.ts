import type { TProperties, TSchema } from '@sinclair/typebox';
import type { Scope } from '../domain/admin/scope.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import { created, jsonBody } from '../http/route/index.ts';
import type { Parameter, Route } from '../http/route/route.ts';
import type { Awaitable } from '../lib/awaitable.ts';
import type { DeskAct, DoneAct } from '../operator/act-desk.ts';
import { ACT_CODES } from '../routes/admin/contract.ts';
import { type ActingParts, type AdminRequest, act, IDEMPOTENCY } from '../routes/admin/fields/act.ts';
import { type TokenParts, tokenRoute } from '../routes/admin/token-route.ts';
import { type ActDefinition, type ActParts, type ActWords, forDesk, type PlannedFacts } from './act.ts';
import { bodyOf, inputOf } from './body.ts';

type Params = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

/** Path, scope and contract of an operation in the admin API. */
export interface Place {
  readonly path: string;
  readonly scope: Scope;
  readonly tag: string;
  readonly capBytes: number;
  /** The parameters of its path. */
  readonly parameters?: readonly Parameter[];
  /** Fields of its body that name the target. */
  readonly target?: TProperties;
  /** The body schema in the contract, if it differs from the checked one. */
  readonly shownBody?: TSchema;
  readonly isBodyNeeded?: true;
  readonly codes?: readonly RefusalCode[];
  readonly done: TSchema;
}

type Asked = AdminRequest & { readonly body: Body };

/** Finds the target and builds the answer. */
interface Handling<Target, Plan extends PlannedFacts> {
  /** @throws Refusal */
  find(params: Params, body: Body): Awaitable<Target>;
  answer(request: Asked, params: Params, done: DoneAct<Plan & DeskAct>): Promise<object>;
}

/** The operation of an act. */
export const actRoute = <Target, Plan extends PlannedFacts, Parts extends object>(
  definition: ActDefinition<Target, Readonly<Record<string, unknown>>, Plan>,
  place: Place,
  handling: (parts: Parts) => Handling<Target, Plan>,
): Route<Parts & ActParts & ActingParts & TokenParts> =>
  ownActRoute(definition, place, (parts: Parts & ActParts & ActingParts) => {
    const { find, answer } = handling(parts);
    return async (request, params) => {
      const done = await act(parts, request, async (by) => {
        const target = await find(params, request.body);
        const input = inputOf(definition.fields, request.body, parts.config);
        return forDesk(definition, await definition.plan(target, input, by, parts));
      });
      return answer(request, params, done);
    };
  });

/** The operation of an act with its own handler. */
export function ownActRoute<Parts extends object>(
  words: ActWords,
  { path, scope, tag, capBytes, parameters = [], target, shownBody, isBodyNeeded, codes = [], done }: Place,
  answering: (parts: Parts) => (request: Asked, params: Params) => Promise<object>,
): Route<Parts & TokenParts> {
  const { api, about = '', verb, title } = words;
  if (api === undefined) throw new Error(`${verb} has no operation`);
  const schema = bodyOf(words, target);
  return tokenRoute({
    at: `POST ${path}`,
    scope,
    body: jsonBody({
      schema,
      shown: shownBody ?? schema,
      capBytes,
      ...(isBodyNeeded ? {} : { whenEmpty: () => ({}) }),
    }),
    operationId: api.operationId,
    summary: api.summary ?? title,
    description: `${api.description ?? about} Scope \`${scope}\`.`,
    parameters: [...parameters, IDEMPOTENCY],
    tag,
    answer: done,
    codes: [...ACT_CODES, ...codes, ...(api.codes ?? [])],
    handle: created((parts: Parts) => {
      const answer = answering(parts);
      return ({ request, set, caller, params, body }) => answer({ request, set, caller, body }, params);
    }),
  });
}
