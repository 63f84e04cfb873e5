import type { Static, TObject } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import type { RefusalCode } from '../../domain/refusal.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import { answers, BODY_CODES, show, success, typed } from '../../http/contract/answers.ts';
import { checkBody } from '../../http/schema-check.ts';
import { type Act, type ActOutcome, sayingSo } from '../../operator/act.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  licenseAt,
  licenseDone,
  noticesField,
  replayedField,
} from './fields/act.ts';
import { ChangedLicense, EXAMPLE_LICENSE, LICENSE_ID } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

/** An act on one license that shows nothing once. */
export interface LicenseAct<Body extends TObject = TObject> {
  /** The last piece of its path. */
  readonly verb: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Body;
  /** Beside those of every act. */
  readonly codes?: readonly RefusalCode[];
  plan(
    license: LicenseRecord,
    body: Static<Body>,
    by: Act,
    parts: Pick<AdminParts, 'db' | 'offer' | 'config'>,
  ): ActOutcome | Promise<ActOutcome>;
}

const CAP_BYTES = 16 * KIB;

const LicenseActDone = typed('LicenseActDone', {
  license: ChangedLicense,
  ...noticesField,
  ...replayedField,
});
const DONE = show(
  LicenseActDone,
  { license: EXAMPLE_LICENSE, notices: [], replayed: false },
  'The license as it is now.',
);

/** Mounts an act. */
export function licenseActRoute(parts: AdminParts, definition: LicenseAct) {
  const { verb, body: Body, codes = [], plan } = definition;

  const answer = async (name: string, request: AdminRequest) => {
    const done = await act(parts, request, async (by) => {
      const outcome = await plan(await licenseAt(parts, name), request.body as Static<TObject>, by, parts);
      return 'refused' in outcome ? outcome : { ...sayingSo(outcome), facts: {} };
    });
    return success(await licenseDone(parts, request.caller, name, done));
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:write'))
    .onTransform(readJson({ capBytes: CAP_BYTES, whenEmpty: () => ({}) }))
    .onTransform(checkBody(Body))
    .post(
      `/licenses/:licenseId/${verb}`,
      async ({ params: { licenseId }, request, set, caller, body }) =>
        answer(licenseId, { request, set, caller, body }),
      {
        body: Body,
        response: answers(DONE, ...TOKEN_CODES, ...BODY_CODES, ...ACT_CODES, 'LICENSE_NOT_FOUND', ...codes),
        detail: {
          operationId: definition.operationId,
          summary: definition.summary,
          description: `${definition.description} Scope \`licenses:write\`.`,
          parameters: [LICENSE_ID, IDEMPOTENCY],
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      },
    );
}
