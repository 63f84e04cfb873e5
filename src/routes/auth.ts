import { Type as t } from '@sinclair/typebox';
import { PLANS } from '../domain/license/catalog.ts';
import { LICENSE_STATES } from '../domain/license/license.ts';
import { nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count, oneOf } from '../http/fields.ts';
import { bearerRoute } from '../http/route/index.ts';
import { isoOrNull } from '../lib/clock.ts';

export const PlanName = oneOf(PLANS, 'effective plan; in ascending order', 'Plan');

export const LicenseStateName = oneOf(
  LICENSE_STATES,
  '`trial`: until trial_ends_at. `pending`: a trial without a confirmed card. `suspended`: limited to the plan free. `revoked`: permanently invalid',
  'LicenseState',
);

/** The names are defined by the operator's catalogue. */
export const ModuleNames = t.Array(t.String(), {
  description: 'modules that the license includes, such as `firewall`; names from the catalogue',
});
export const EXAMPLE_MODULES = ['firewall', 'login_protection', 'telemetry'];

const KeyStatus = typed('KeyStatus', {
  valid: t.Boolean({ description: 'whether the key is valid; false for suspended licenses' }),
  plan: PlanName,
  sites_allowed: count('maximum number of registered domains'),
  sites_used: count('number of registered domains'),
  expires_at: nullable(timestamp('expiry time of the key; null: never')),
});
const EXAMPLE = { valid: true, plan: 'pro', sites_allowed: 25, sites_used: 3, expires_at: null };

export const auth = bearerRoute({
  at: 'POST /auth/verify',
  operationId: 'verifyKey',
  summary: 'Verify an API key',
  description: 'Takes no body. Keys of suspended licenses return `valid: false` and the plan free.',
  tag: TAGS.licensing,
  answer: show(KeyStatus, EXAMPLE, 'Returns the status of the key.'),
  handle: ({ caller: { license, standing } }) => ({
    valid: standing.valid,
    plan: standing.plan,
    sites_allowed: standing.sitesAllowed,
    sites_used: license.domains.length,
    expires_at: isoOrNull(standing.expiresAt),
  }),
});
