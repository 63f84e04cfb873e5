import type { TProperties, TSchema } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { Scope } from '../domain/admin/scope.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import { requireScope } from '../http/admin-caller.ts';
import { readJson } from '../http/body.ts';
import { answers, BODY_CODES, success } from '../http/contract/answers.ts';
import { checkBody } from '../http/schema-check.ts';
import type { DeskAct, DoneAct } from '../operator/act-desk.ts';
import { ACT_CODES, SECURITY, TOKEN_CODES } from '../routes/admin/contract.ts';
import { type AdminRequest, act, IDEMPOTENCY } from '../routes/admin/fields/act.ts';
import type { AdminParts } from '../routes/admin/parts.ts';
import { type ActDefinition, forDesk, type PlannedFacts } from './act.ts';
import { bodyOf, inputOf } from './body.ts';

type Params = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

/** Where acts on the same are in the admin API, and what is answered when one is done. */
export interface ActPlace<Target, Plan extends PlannedFacts> {
  readonly path: string;
  readonly scope: Scope;
  readonly tag: string;
  readonly capBytes: number;
  /** What its path names. */
  readonly parameters?: readonly (typeof IDEMPOTENCY | PathParameter)[];
  /** What names the target in its body. */
  readonly target?: TProperties;
  /** Whether a body has to be sent. */
  readonly isBodyNeeded?: true;
  readonly codes?: readonly RefusalCode[];
  readonly done: TSchema;
  /** @throws Refusal */
  find(params: Params, body: Body): Target | Promise<Target>;
  answer(
    request: AdminRequest & { readonly body: Body },
    params: Params,
    done: DoneAct<Plan & DeskAct>,
  ): Promise<object>;
}

interface PathParameter {
  readonly name: string;
  readonly in: 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

/** Mounts the operation of an act, if it has one. */
export function actRoute<Target, Plan extends PlannedFacts>(
  parts: AdminParts,
  definition: ActDefinition<Target, Readonly<Record<string, unknown>>, Plan>,
  place: ActPlace<Target, Plan>,
) {
  const { api, about = '', fields } = definition;
  if (api === undefined) throw new Error(`${definition.verb} has no operation`);
  const { operationId, summary, description = about, codes = [] } = api;
  const body = bodyOf(definition, place.target);

  const answer = async (request: AdminRequest & { readonly body: Body }, params: Params) => {
    const done = await act(parts, request, async (by) => {
      const target = await place.find(params, request.body);
      const input = inputOf(fields, request.body, parts.config);
      return forDesk(definition, await definition.plan(target, input, by, parts));
    });
    return success(await place.answer(request, params, done));
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope(place.scope))
    .onTransform(
      readJson({ capBytes: place.capBytes, ...(place.isBodyNeeded ? {} : { whenEmpty: () => ({}) }) }),
    )
    .onTransform(checkBody(body))
    .post(
      place.path,
      async ({ params, request, set, caller, body }) =>
        answer({ request, set, caller, body: body as Body }, params as Params),
      {
        body,
        response: answers(
          place.done,
          ...[...TOKEN_CODES, ...BODY_CODES, ...ACT_CODES],
          ...(place.codes ?? []),
          ...codes,
        ),
        detail: {
          operationId,
          summary,
          description: `${description} Scope \`${place.scope}\`.`,
          parameters: [...(place.parameters ?? []), IDEMPOTENCY],
          tags: [place.tag],
          security: SECURITY,
        },
      },
    );
}
