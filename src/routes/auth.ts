import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { PLANS } from '../domain/catalog.ts';
import { LICENSE_STATES } from '../domain/license.ts';
import { answers, BEARER_CODES, closed, nullable, success, timestamp } from '../http/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import { oneOf } from '../http/fields.ts';
import { isoOrNull } from '../lib/clock.ts';
import type { Parts } from '../parts.ts';

export const PlanName = oneOf(PLANS, 'whose rights hold now, from least to most');

export const LicenseStateName = oneOf(
  LICENSE_STATES,
  '`trial`: until trial_ends_at; `pending`: a trial whose card is not confirmed; `suspended`: on hold, with the rights of ' +
    'the plan free; `revoked`: for good',
);

/** Modules are named by the operator's catalogue. */
export const ModuleNames = t.Array(t.String(), {
  description: 'that the license may use now, for example `firewall`; names of the catalogue',
});

const KeyStatus = closed({
  valid: t.Boolean({ description: 'false for a suspended license' }),
  plan: PlanName,
  sites_allowed: Type.Integer({ minimum: 0, description: 'how many domains may be registered' }),
  sites_used: Type.Integer({ minimum: 0, description: 'registered domains' }),
  expires_at: nullable(timestamp('key expiry; null = never')),
});

export const auth = ({ authenticate }: Parts) =>
  new Elysia().derive(authenticate).post(
    '/auth/verify',
    ({ caller: { license, standing } }) =>
      success({
        valid: standing.valid,
        plan: standing.plan,
        sites_allowed: standing.sitesAllowed,
        sites_used: license.domains.length,
        expires_at: isoOrNull(standing.expiresAt),
      }),
    {
      response: answers(KeyStatus, ...BEARER_CODES),
      detail: {
        summary: 'Confirm an API key',
        description:
          'Takes no body. The key of a suspended license is confirmed with `valid: false` and the plan free.',
        tags: [TAGS.licensing],
        security: BEARER_SECURITY,
      },
    },
  );
