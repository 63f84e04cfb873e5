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
import { type ActDefinition, type ActWords, forDesk, type PlannedFacts } from './act.ts';
import { bodyOf, inputOf } from './body.ts';

type Params = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

/** The place of an operation in the admin API. */
export interface Place {
  readonly path: string;
  readonly scope: Scope;
  readonly tag: string;
  readonly capBytes: number;
  /** The parameters of its path. */
  readonly parameters?: readonly PathParameter[];
  /** Fields of its body that name the target. */
  readonly target?: TProperties;
  /** The body in the contract, where it differs. */
  readonly shownBody?: TSchema;
  /** Whether a body is required. */
  readonly isBodyNeeded?: true;
  readonly codes?: readonly RefusalCode[];
  readonly done: TSchema;
}

type Asked = AdminRequest & { readonly body: Body };

/** How the target is found, and the answer. */
export interface ActPlace<Target, Plan extends PlannedFacts> extends Place {
  /** @throws Refusal */
  find(params: Params, body: Body): Target | Promise<Target>;
  answer(request: Asked, params: Params, done: DoneAct<Plan & DeskAct>): Promise<object>;
}

interface PathParameter {
  readonly name: string;
  readonly in: 'path';
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly type: 'string' };
}

/** Mounts the operation of an act. */
export const actRoute = <Target, Plan extends PlannedFacts>(
  parts: AdminParts,
  definition: ActDefinition<Target, Readonly<Record<string, unknown>>, Plan>,
  place: ActPlace<Target, Plan>,
) =>
  mountAct(parts, definition, place, async (request, params) => {
    const done = await act(parts, request, async (by) => {
      const target = await place.find(params, request.body);
      const input = inputOf(definition.fields, request.body, parts.config);
      return forDesk(definition, await definition.plan(target, input, by, parts));
    });
    return place.answer(request, params, done);
  });

/** Mounts an operation with its own handler. */
export function mountAct(
  parts: AdminParts,
  words: ActWords,
  place: Place,
  answer: (request: Asked, params: Params) => Promise<object>,
) {
  const { api, about = '', verb, title } = words;
  if (api === undefined) throw new Error(`${verb} has no operation`);
  const { operationId, summary = title, description = about, codes = [] } = api;
  const body = bodyOf(words, place.target);
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
        success(await answer({ request, set, caller, body: body as Body }, params as Params)),
      {
        body: place.shownBody ?? body,
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
