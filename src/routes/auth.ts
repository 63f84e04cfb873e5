import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { PLANS } from '../domain/catalog.ts';
import { answers, BEARER_CODES, closed, nullable, success, timestamp } from '../http/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import { oneOf } from '../http/fields.ts';
import { isoOrNull } from '../lib/clock.ts';
import type { Parts } from '../parts.ts';

export const PlanName = oneOf(PLANS, 'from least to most: free, starter, pro, enterprise');

const KeyStatus = closed({
  valid: t.Boolean({ description: 'false for a suspended license' }),
  plan: PlanName,
  sites_allowed: Type.Integer({ minimum: 0, description: 'site quota' }),
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
        expires_at: isoOrNull(license.expiresAt),
      }),
    {
      response: answers(KeyStatus, ...BEARER_CODES),
      detail: { summary: 'Confirm an API key', tags: [TAGS.licensing], security: BEARER_SECURITY },
    },
  );
