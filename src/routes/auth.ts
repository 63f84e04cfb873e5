import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { PLANS } from '../domain/license/catalog.ts';
import { LICENSE_STATES } from '../domain/license/license.ts';
import {
  answers,
  BEARER_CODES,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { isoOrNull } from '../lib/clock.ts';
import type { Parts } from './parts.ts';

export const PlanName = oneOf(PLANS, 'whose rights hold now, from least to most', 'Plan');

export const LicenseStateName = oneOf(
  LICENSE_STATES,
  '`trial`: until trial_ends_at; `pending`: a trial whose card is not confirmed; `suspended`: on hold, with the rights of ' +
    'the plan free; `revoked`: for good',
  'LicenseState',
);

/** Modules are named by the operator's catalogue. */
export const ModuleNames = t.Array(t.String(), {
  description: 'that the license may use now, for example `firewall`; names of the catalogue',
});
export const EXAMPLE_MODULES = ['firewall', 'login_protection', 'telemetry'];

const KeyStatus = typed('KeyStatus', {
  valid: t.Boolean({ description: 'false for a suspended license' }),
  plan: PlanName,
  sites_allowed: Type.Integer({ minimum: 0, description: 'how many domains may be registered' }),
  sites_used: Type.Integer({ minimum: 0, description: 'registered domains' }),
  expires_at: nullable(timestamp('key expiry; null = never')),
});
const EXAMPLE = { valid: true, plan: 'pro', sites_allowed: 25, sites_used: 3, expires_at: null };

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
      response: answers(show(KeyStatus, EXAMPLE, 'The key is known, and worth this.'), ...BEARER_CODES),
      detail: {
        operationId: 'verifyKey',
        summary: 'Confirm an API key',
        description:
          'Takes no body. The key of a suspended license is confirmed with `valid: false` and the plan free.',
        tags: [TAGS.licensing],
        security: BEARER_SECURITY,
      },
    },
  );
