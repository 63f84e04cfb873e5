import type { MirrorState } from '../vulnerability/mirror-age.ts';

/** A connection of this installation to another system, in use or possible. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  readonly kind:
    | 'telemetry'
    | 'licensing'
    | 'threat_intelligence'
    | 'scan'
    | 'trust'
    | 'analysis'
    | 'payments'
    | 'operations';
  /** As seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  /** In use by this tenant; ready to be used; or switched off by the operator or out of order. */
  readonly status: IntegrationStatus;
  readonly description: string;
}

export const INTEGRATION_STATUSES = ['active', 'available', 'disabled'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** Uses that are recorded: by license, or for all in the case of the operator's. */
export type IntegrationUse =
  | 'license-verify'
  | 'threat-feed'
  | 'surface-scan'
  /** The last surface scan, of any license, found that this service has no network. */
  | 'surface-scan-cut-off'
  | 'second-opinion'
  | 'metrics';

/** The inputs of the states. Recent is within a day. */
export interface IntegrationFacts {
  /** Whether the tenant, or for the last three the operator, has used it recently, since this process started. */
  readonly isUsed: (use: IntegrationUse) => boolean;
  /** Whether a site of the tenant has reported recently. */
  readonly sitesReport: boolean;
  /** Whether a signal of the tenant came within a week. */
  readonly signalsCome: boolean;
  /** Whether the tenant reported a threat yesterday or today. */
  readonly threatsReported: boolean;
  readonly threatFeedEnabled: boolean;
  /** Of the vulnerability data that the operator imported. */
  readonly mirrorState: MirrorState;
  /** Whether the metrics are served to any address. */
  readonly metricsServed: boolean;
  /** Whether tenants may request surface scans. */
  readonly surfaceScans: boolean;
  /** Whether credentials can be issued: this service has a public https address. */
  readonly credentialsConfigured: boolean;
  /** Whether a credential was issued to the tenant yesterday or today. */
  readonly credentialsIssued: boolean;
  /** Whether this service shows trust states. */
  readonly trustShown: boolean;
  /** Whether the tenant shows one. */
  readonly trustUsed: boolean;
  /** Whether analyses ask an endpoint for a second opinion. */
  readonly analysisEndpoint: boolean;
  /** Whether payments go to a processor; otherwise they are mocked. */
  readonly paymentsConfigured: boolean;
  /** Whether an event of the processor was settled within 35 days. */
  readonly paymentsSettled: boolean;
  /** Whether the log goes to a file or another process. */
  readonly logCollected: boolean;
}

interface IntegrationRule extends Omit<Integration, 'status'> {
  readonly statusOf: (facts: IntegrationFacts) => IntegrationStatus;
}

const usedWhen = (used: boolean): IntegrationStatus => (used ? 'active' : 'available');
const ifOn = (on: boolean, used: boolean): IntegrationStatus => (on ? usedWhen(used) : 'disabled');

const MIRROR_STATUSES: Readonly<Record<MirrorState, IntegrationStatus>> = {
  current: 'active',
  stale: 'available',
  empty: 'disabled',
};

const INTEGRATIONS: readonly IntegrationRule[] = [
  {
    id: 'license_verification',
    name: 'License verification',
    kind: 'licensing',
    direction: 'inbound',
    description:
      'Plugins check their plan and modules with POST /license/verify. Active after a valid check within a day.',
    statusOf: ({ isUsed }) => usedWhen(isUsed('license-verify')),
  },
  {
    id: 'plugin_telemetry',
    name: 'Plugin telemetry',
    kind: 'telemetry',
    direction: 'inbound',
    description: 'Plugins and agents send POST /telemetry. Active if a site reported within a day.',
    statusOf: ({ sitesReport }) => usedWhen(sitesReport),
  },
  {
    id: 'posture_signals',
    name: 'Posture signals',
    kind: 'telemetry',
    direction: 'inbound',
    description:
      'Agents and connectors report the posture of sites, servers, PCs, cloud and SaaS anonymously. Active if one reported within a week.',
    statusOf: ({ signalsCome }) => usedWhen(signalsCome),
  },
  {
    id: 'threat_reports',
    name: 'Threat reports',
    kind: 'threat_intelligence',
    direction: 'inbound',
    description:
      'Edges report observed threats anonymously with POST /threat-report/report. Active if one reported since yesterday.',
    statusOf: ({ threatsReported }) => usedWhen(threatsReported),
  },
  {
    id: 'threat_feed',
    name: 'Threat feed',
    kind: 'threat_intelligence',
    direction: 'outbound',
    description:
      'Edges download the corroborated feed with GET /threat-feed. The operator turns it on. Active if this license ' +
      'downloaded it within a day.',
    statusOf: ({ threatFeedEnabled, isUsed }) => ifOn(threatFeedEnabled, isUsed('threat-feed')),
  },
  {
    id: 'vulnerability_mirror',
    name: 'Vulnerability mirror',
    kind: 'threat_intelligence',
    direction: 'inbound',
    description:
      'Sites report their components and learn which are vulnerable, from feeds that the operator imports. Active ' +
      'while these are current, available while they are stale, disabled while there are none.',
    statusOf: ({ mirrorState }) => MIRROR_STATUSES[mirrorState],
  },
  {
    id: 'surface_scans',
    name: 'Surface scans',
    kind: 'scan',
    direction: 'outbound',
    description:
      "POST /scan checks a tenant's own sites, on domains whose control is verified, as a visitor sees them. " +
      'Active after a scan within a day. Disabled if the operator has turned it off. If a scan fails because this service ' +
      'has no network, also disabled for a day or until a scan succeeds.',
    statusOf: ({ surfaceScans, isUsed }) =>
      ifOn(surfaceScans && !isUsed('surface-scan-cut-off'), isUsed('surface-scan')),
  },
  {
    id: 'credentials',
    name: 'Signed credentials',
    kind: 'trust',
    direction: 'outbound',
    description:
      'POST /credentials signs the assessment of a site, or the license, for anyone to verify. Active if one was ' +
      'issued since yesterday. Disabled until the operator sets SERVICE_BASE_URL to the https address of this service.',
    statusOf: ({ credentialsConfigured, credentialsIssued }) =>
      ifOn(credentialsConfigured, credentialsIssued),
  },
  {
    id: 'trust_badge',
    name: 'Public trust state',
    kind: 'trust',
    direction: 'outbound',
    description:
      'POST /sites/{siteId}/trust publishes the assessment of a site, with a badge to display on it. Active while a site of this ' +
      'tenant is published. Disabled until the operator sets SERVICE_BASE_URL, and while trust states are turned off.',
    statusOf: ({ trustShown, trustUsed }) => ifOn(trustShown, trustUsed),
  },
  {
    id: 'analysis_endpoint',
    name: 'Analysis endpoint',
    kind: 'analysis',
    direction: 'outbound',
    description:
      "A second opinion for POST /brain/analyze from a model on the operator's own network. Optional: the built-in " +
      'analysis works without it. Active if the last response within a day was an opinion.',
    statusOf: ({ analysisEndpoint, isUsed }) => ifOn(analysisEndpoint, isUsed('second-opinion')),
  },
  {
    id: 'payments',
    name: 'Payments',
    kind: 'payments',
    direction: 'outbound',
    description:
      'Trials and checkout through Stripe. Configured by the operator; simulated until then. Active if ' +
      'a Stripe event was processed within 35 days.',
    statusOf: ({ paymentsConfigured, paymentsSettled }) => ifOn(paymentsConfigured, paymentsSettled),
  },
  {
    id: 'metrics',
    name: 'Metrics',
    kind: 'operations',
    direction: 'outbound',
    description:
      'A collector of the operator reads GET /metrics in the Prometheus text format. Active if it did within a day.',
    statusOf: ({ metricsServed, isUsed }) => ifOn(metricsServed, isUsed('metrics')),
  },
  {
    id: 'log_shipping',
    name: 'Log shipping',
    kind: 'operations',
    direction: 'outbound',
    description:
      'The service writes JSON lines to standard error, for the journal or a collector: request id, route, ' +
      'status, duration and license; never a key or a body. Active while standard error goes to a file or another process.',
    statusOf: ({ logCollected }) => usedWhen(logCollected),
  },
];

/** The integrations of this installation as one tenant sees them. Only what works is listed. */
export const integrationsOf = (facts: IntegrationFacts): Integration[] =>
  INTEGRATIONS.map(({ statusOf, ...integration }) => ({ ...integration, status: statusOf(facts) }));
