import { Type as t } from '@sinclair/typebox';
import { dailyBudget } from '../domain/license/daily-budget.ts';
import { closed, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { count } from '../http/fields.ts';
import { PER_IP } from '../http/limits.ts';
import { bearerRoute } from '../http/route/index.ts';
import { iso, isoOrNull, nextUtcMidnight } from '../lib/clock.ts';
import { EXAMPLE_MODULES, LicenseStateName, ModuleNames, PlanName } from './auth.ts';
import type { Parts } from './parts.ts';

const budget = (what: string) => nullable(t.Integer({ minimum: 1, description: `${what}; null: no limit` }));
const used = (what: string) => t.Integer({ minimum: 0, description: `${what} stored since midnight UTC` });

export const ContractSummary = typed('ContractSummary', {
  plan: PlanName,
  license_status: LicenseStateName,
  modules: ModuleNames,
  rate_limit: closed(
    {
      limit: t.Integer({ minimum: 1, description: 'requests per window' }),
      window_seconds: t.Integer({
        minimum: 1,
        description: 'length of the window; requests are replenished one by one',
      }),
      scope: t.Literal('key', { description: 'scope of the limit' }),
    },
    'rate limit of all Bearer routes together',
  ),
  daily_budget: closed(
    {
      events: budget('events per day'),
      bytes: budget('bytes per day; each event counts the UTF-8 length of its texts plus 512'),
      events_used: used('events'),
      bytes_used: used('bytes'),
      resets_at: timestamp('next midnight UTC'),
    },
    'daily storage budget (UTC) for telemetry and for signals that do not replace earlier ones',
  ),
  domain_bound: t.Boolean({ description: 'whether at least one domain is registered' }),
  sites: closed(
    {
      allowed: count('maximum number of registered domains'),
      used: count('number of registered domains'),
    },
    'site limit; when it is reached, license/verify returns valid: false without a reason for new domains',
  ),
  trial_ends_at: nullable(timestamp('end of the trial; null if not in trial')),
  license_id_hash: t.String({ description: 'opaque, stable identity of the license, derived from the key' }),
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

export const me = bearerRoute({
  at: 'GET /me',
  limit: 'me',
  operationId: 'getMe',
  summary: 'Get the license of the key',
  description: `Before authentication, also limited to ${PER_IP.me} requests per minute and IP address.`,
  tag: TAGS.licensing,
  answer: show(ContractSummary, EXAMPLE, 'Returns the license with its limits and usage.'),
  handle: async (
    { caller: { license, standing } },
    {
      limits,
      identities,
      tenantData,
      clock,
      config,
    }: Parts<'clock' | 'config' | 'identities' | 'limits' | 'tenantData'>,
  ) => {
    const now = clock.now();
    const stored = await tenantData.volumes.ofLicense(license.id, now);
    return {
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
    };
  },
});
