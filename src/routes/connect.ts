import { Elysia, t } from 'elysia';
import { INTEGRATION_STATUSES, integrationsOf } from '../domain/integrations.ts';
import { lastSeenOfReporting } from '../domain/site-status.ts';
import { answers, BEARER_CODES, closed, success } from '../http/answers.ts';
import { BEARER_SECURITY, TAGS } from '../http/contract.ts';
import { oneOf } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import type { Parts } from '../parts.ts';
import { THREAT_REPORT } from './threat-report.ts';

const IntegrationList = closed({
  integrations: t.Array(
    closed({
      id: t.String({ description: 'stable, for programs' }),
      name: t.String({ description: 'for people' }),
      kind: t.String({ description: 'what it is for, in a word' }),
      direction: t.Union([t.Literal('inbound'), t.Literal('outbound')], {
        description: 'as seen from the service',
      }),
      status: oneOf(
        INTEGRATION_STATUSES,
        'in use by this tenant; ready to be used; or switched off by the operator',
      ),
      description: t.String({ description: 'what it does, and when it is active' }),
    }),
    { description: 'the same list for every tenant' },
  ),
});

export const connect = ({ authenticate, tenantData, clock, config, payments }: Parts) =>
  new Elysia()
    .derive(authenticate)
    .onTransform(requirePlan('pro'))
    .get(
      '/connect',
      ({ caller: { license } }) => {
        const lastSeen = lastSeenOfReporting(clock.now());
        const heard = tenantData.sites.list({ licenseId: license.id, afterId: 0, lastSeen, limit: 1 });
        return success({
          integrations: integrationsOf({
            sitesReport: heard.length > 0,
            domainBound: license.domains.length > 0,
            signalsKept: tenantData.signals.isAnyKept(license.id),
            threatsReported: tenantData.usage.isUsed(license.id, THREAT_REPORT),
            threatFeedEnabled: config.threatFeedEnabled,
            surfaceScans: config.surfaceScans,
            analysisEndpoint: config.aiUrl !== undefined,
            paymentsConfigured: payments.processor !== undefined,
            metricsServed: config.metricsAllow.length > 0,
          }),
        });
      },
      {
        response: answers(IntegrationList, ...BEARER_CODES, 'PLAN_REQUIRED'),
        detail: {
          summary: 'The true state of the integrations',
          description: 'Only what this installation can do is listed. Needs the plan pro or a greater one.',
          tags: [TAGS.tenant],
          security: BEARER_SECURITY,
        },
      },
    );
