import { Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { dailyBudget } from '../domain/license/daily-budget.ts';
import {
  answers,
  BEARER_CODES,
  closed,
  nullable,
  show,
  success,
  timestamp,
  typed,
} from '../http/contract/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract/contract.ts';
import { PER_IP } from '../http/limits.ts';
import { iso, isoOrNull, nextUtcMidnight } from '../lib/clock.ts';
import { EXAMPLE_MODULES, LicenseStateName, ModuleNames, PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

const budget = (what: string) =>
  nullable(Type.Integer({ minimum: 1, description: `${what}; null = no limit` }));
const used = (what: string) => Type.Integer({ minimum: 0, description: `${what} stored since midnight UTC` });

export const ContractSummary = typed('ContractSummary', {
  plan: PlanName,
  license_status: LicenseStateName,
  modules: ModuleNames,
  rate_limit: closed(
    {
      limit: Type.Integer({ minimum: 1, description: 'requests in a window' }),
      window_seconds: Type.Integer({ minimum: 1, description: 'over which they are given back, one by one' }),
      scope: t.Literal('key', { description: 'what is counted' }),
    },
    'of all Bearer routes together',
  ),
  daily_budget: closed(
    {
      events: budget('events'),
      bytes: budget('bytes: each event counts its texts in UTF-8 and 512 more'),
      events_used: used('events'),
      bytes_used: used('bytes'),
      resets_at: timestamp('the next midnight UTC'),
    },
    'what telemetry and signals that are kept beside earlier ones may store on a UTC day',
  ),
  domain_bound: t.Boolean({ description: 'whether at least one domain is registered' }),
  sites: closed(
    {
      allowed: Type.Integer({ minimum: 0, description: 'domains that the license may register' }),
      used: Type.Integer({ minimum: 0, description: 'domains that it has registered' }),
    },
    'when all are used, license/verify answers a new domain with valid: false, and gives no reason',
  ),
  trial_ends_at: nullable(timestamp('while in trial, else null')),
  license_id_hash: t.String({ description: 'the derived identity of this license: opaque, stable' }),
});
const EXAMPLE = {
  plan: 'pro',
  license_status: 'active',
  modules: EXAMPLE_MODULES,
  rate_limit: { limit: 100, window_seconds: 60, scope: 'key' },
  daily_budget: {
    events: 500_000,
    bytes: 536_870_912,
    events_used: 1_832,
    bytes_used: 1_466_000,
    resets_at: '2026-11-23T00:00:00.000Z',
  },
  domain_bound: true,
  sites: { allowed: 25, used: 3 },
  trial_ends_at: null,
  license_id_hash: 'pqIvcNniwZzc2B4XXCZl1conjAHyz1XlN-e-NO5Zpks',
};

export const me = ({ limits, authenticate, identities, tenantData, clock, config }: Parts) =>
  new Elysia()
    .derive(limits.perIp('me'))
    .derive(authenticate)
    .get(
      '/me',
      async ({ caller: { license, standing } }) => {
        const now = clock.now();
        const stored = await tenantData.volumes.ofLicense(license.id, now);
        return success({
          plan: standing.plan,
          license_status: standing.state,
          modules: standing.modules as string[],
          rate_limit: limits.keyPolicy,
          daily_budget: {
            ...dailyBudget(license, standing, config),
            events_used: stored.events,
            bytes_used: stored.bytes,
            resets_at: iso(nextUtcMidnight(now)),
          },
          domain_bound: license.domains.length > 0,
          sites: { allowed: standing.sitesAllowed, used: license.domains.length },
          trial_ends_at: isoOrNull(standing.trialEndsAt),
          license_id_hash: identities.licenseIdHash(license.id),
        });
      },
      {
        response: answers(
          show(ContractSummary, EXAMPLE, 'What the license may do, and what of it is used up.'),
          ...BEARER_CODES,
        ),
        detail: {
          operationId: 'getMe',
          summary: "The caller's own contract",
          description: `Also limited per IP address before authentication: ${PER_IP.me} a minute, its own bucket.`,
          tags: [TAGS.licensing],
          security: BEARER_SECURITY,
        },
      },
    );
