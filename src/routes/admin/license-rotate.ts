import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { GRACE_DAYS_MAX } from '../../domain/license/license-key.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { bodySchema, readJson } from '../../http/body.ts';
import { KIB } from '../../http/context.ts';
import {
  answers,
  BODY_CODES,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../../http/contract/answers.ts';
import { checkBody } from '../../http/schema-check.ts';
import { HOUR_MS, isoOrNull } from '../../lib/clock.ts';
import type { Act } from '../../operator/act.ts';
import { rotateKey } from '../../operator/rotate-key.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { readPreviousKeys } from '../../storage/licenses/previous-keys.ts';
import { ACT_CODES, SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import {
  type AdminRequest,
  act,
  IDEMPOTENCY,
  licenseAt,
  licenseDone,
  noticesField,
  reasonField,
  replayedField,
} from './fields/act.ts';
import { ChangedLicense, EXAMPLE_LICENSE, LICENSE_ID } from './fields/license.ts';
import type { AdminParts } from './parts.ts';

export const Rotation = bodySchema(
  'Rotation',
  {
    grace_hours: t.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GRACE_DAYS_MAX * 24,
        description: 'how long the present key works beside the new one; 0, or left out, it stops at once',
      }),
    ),
    ...reasonField,
  },
  { grace_hours: 24, reason: 'the customer has lost the key' },
);

const RotatedKey = typed('RotatedKey', {
  license: ChangedLicense,
  key: nullable(
    t.String({ description: 'the new key' }),
    'the new key, which is shown only now; null when replayed is true',
  ),
  old_key_works_until: nullable(timestamp('until when the old key works'), 'null = it has stopped'),
  ...noticesField,
  ...replayedField,
});

/** Plans to give a license another key as a body wants it. */
export async function planRotation(
  { db }: Pick<AdminParts, 'db'>,
  license: LicenseRecord,
  { grace_hours: hours = 0 }: Static<typeof Rotation>,
  by: Act,
) {
  const previous = await readPreviousKeys(db)(license.id, by.now);
  const planned = rotateKey(license, previous, hours * HOUR_MS, by);
  return 'refused' in planned
    ? planned
    : { ...planned, facts: { old_key_works_until: isoOrNull(planned.oldWorksUntil) } };
}

/** Gives a license another key. */
export const licenseRotate = (parts: AdminParts) => {
  const answer = async (name: string, request: AdminRequest) => {
    const body = request.body as Static<typeof Rotation>;
    const done = await act(parts, request, async (by) =>
      planRotation(parts, await licenseAt(parts, name), body, by),
    );
    return success({
      ...(await licenseDone(parts, request.caller, name, done)),
      key: done.plan?.key ?? null,
      old_key_works_until: done.facts.old_key_works_until as string | null,
    });
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:write'))
    .onTransform(readJson({ capBytes: 16 * KIB, whenEmpty: () => ({}) }))
    .onTransform(checkBody(Rotation))
    .post(
      '/licenses/:licenseId/rotate',
      async ({ params: { licenseId }, request, set, caller, body }) =>
        answer(licenseId, { request, set, caller, body }),
      {
        body: Rotation,
        response: answers(
          show(
            RotatedKey,
            {
              license: EXAMPLE_LICENSE,
              key: 'rdt_live_<shown once>',
              old_key_works_until: '2026-11-24T09:30:00.000Z',
              notices: [],
              replayed: false,
            },
            'The license, and its new key.',
          ),
          ...TOKEN_CODES,
          ...BODY_CODES,
          ...ACT_CODES,
          'LICENSE_NOT_FOUND',
        ),
        detail: {
          operationId: 'rotateKey',
          summary: 'Give a license another key',
          description:
            'With a grace, the present key goes on working for that long, so that sites can be changed one after another; a second ' +
            'rotation ends it. Scope `licenses:write`.',
          parameters: [LICENSE_ID, IDEMPOTENCY],
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      },
    );
};
