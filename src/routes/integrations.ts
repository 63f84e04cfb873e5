import { Type as t } from '@sinclair/typebox';
import { INTEGRATION_STATUSES, type IntegrationUse, integrationsOf } from '../domain/site/integrations.ts';
import { lastSeenOfReporting } from '../domain/site/site-status.ts';
import { show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { bearerRoute } from '../http/route/index.ts';
import { DAY_MS } from '../lib/clock.ts';
import { CREDENTIALS } from '../storage/credentials/credentials.ts';
import { heartbeatSecondsOf } from '../storage/sites/site-expectations.ts';
import { isIssuer } from '../tasks/credential-keys.ts';
import { stateOf } from './fields/finding-fields.ts';
import type { Parts } from './parts.ts';
import { THREAT_REPORT } from './threat-report.ts';

const SIGNALS_WITHIN_MS = 7 * DAY_MS;
const OPERATOR_USES: ReadonlySet<IntegrationUse> = new Set([
  'surface-scan-cut-off',
  'second-opinion',
  'metrics',
]);

const IntegrationList = typed('IntegrationList', {
  integrations: t.Array(
    typed('Integration', {
      id: t.String({ description: 'stable ID' }),
      name: t.String({ description: 'display name' }),
      kind: t.String({ description: 'purpose' }),
      direction: t.Union([t.Literal('inbound'), t.Literal('outbound')], {
        description: 'direction from the perspective of the service',
      }),
      status: oneOf(
        INTEGRATION_STATUSES,
        'status: used by this tenant, available, or unavailable (turned off by the operator or failing)',
      ),
      description: t.String({ description: 'what the integration does and when it is active' }),
    }),
    { description: 'integrations; the same list for every tenant' },
  ),
});
const EXAMPLE = {
  integrations: [
    {
      id: 'plugin_telemetry',
      name: 'Plugin telemetry',
      kind: 'telemetry',
      direction: 'inbound',
      description: 'Plugins and agents send POST /telemetry. Active if a site reported within a day.',
      status: 'active',
    },
  ],
};

interface IntegrationsParts
  extends Parts<'clock' | 'config' | 'mirror' | 'payments' | 'tenantData' | 'trustDesk' | 'uses'> {
  readonly logCollected: boolean;
}

export const integrations = bearerRoute({
  at: 'GET /connect',
  plan: 'pro',
  operationId: 'listIntegrations',
  summary: 'List integrations and their status',
  description:
    'Lists only integrations that this installation supports. Usage is tracked from the start of the service. Requires the plan pro or higher.',
  tag: TAGS.tenant,
  answer: show(IntegrationList, EXAMPLE, 'Returns the integrations and their status.'),
  handle: async (
    { licenseId },
    { tenantData, clock, config, mirror, payments, trustDesk, uses, logCollected }: IntegrationsParts,
  ) => {
    const now = clock.now();
    const every = await heartbeatSecondsOf(tenantData, config, licenseId);
    const lastSeen = lastSeenOfReporting(now, every);
    const reporting = await tenantData.sites.list({ licenseId, afterId: 0, lastSeen, limit: 1 });
    return {
      integrations: integrationsOf({
        isUsed: (use) => uses.isRecent(use, OPERATOR_USES.has(use) ? undefined : licenseId),
        sitesReport: reporting.length > 0,
        signalsCome: await tenantData.signals.isAnySince(licenseId, now - SIGNALS_WITHIN_MS),
        threatsReported: await tenantData.usage.isUsed(licenseId, THREAT_REPORT),
        threatFeedEnabled: config.threatFeedEnabled,
        mirrorState: stateOf(await mirror.current(), config.mirrorStaleHours, now),
        surfaceScans: config.surfaceScans,
        credentialsConfigured: isIssuer(config.baseUrl),
        credentialsIssued: await tenantData.usage.isUsed(licenseId, CREDENTIALS),
        trustShown: trustDesk.address !== undefined,
        trustUsed: await tenantData.trustSites.isAnyEnabled(licenseId),
        analysisEndpoint: config.aiUrl !== undefined,
        paymentsConfigured: payments.processor !== undefined,
        paymentsSettled: await payments.isAnySettled(),
        logCollected,
        metricsServed: config.metricsAllow.length > 0,
      }),
    };
  },
});
