/** What this installation is joined to, or could be. */
export interface Integration {
  readonly id: string;
  readonly name: string;
  readonly kind:
    | 'telemetry'
    | 'licensing'
    | 'threat_intelligence'
    | 'scan'
    | 'analysis'
    | 'payments'
    | 'operations';
  /** As seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  /** In use by this tenant; ready to be used; or switched off by the operator. */
  readonly status: IntegrationStatus;
  readonly description: string;
}

export const INTEGRATION_STATUSES = ['active', 'available', 'disabled'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/** What the states are made from. */
export interface IntegrationFacts {
  /** Whether a site of the tenant is heard of at present. */
  readonly sitesReport: boolean;
  /** Whether the license has a registered domain. */
  readonly domainBound: boolean;
  /** Whether a signal of the tenant is kept. */
  readonly signalsKept: boolean;
  /** Whether the tenant reported a threat yesterday or today. */
  readonly threatsReported: boolean;
  readonly threatFeedEnabled: boolean;
  /** Whether anybody may read the metrics. */
  readonly metricsServed: boolean;
  /** Whether tenants may have their sites looked at from outside. */
  readonly surfaceScans: boolean;
  /** Whether analyses get the second opinion of an endpoint. */
  readonly analysisEndpoint: boolean;
  /** Whether payments go to a processor; otherwise they are mocked. */
  readonly paymentsConfigured: boolean;
}

interface IntegrationRule extends Omit<Integration, 'status'> {
  readonly statusOf: (facts: IntegrationFacts) => IntegrationStatus;
}

const usedWhen = (used: boolean): IntegrationStatus => (used ? 'active' : 'available');

const INTEGRATIONS: readonly IntegrationRule[] = [
  {
    id: 'license_verification',
    name: 'License verification',
    kind: 'licensing',
    direction: 'inbound',
    description:
      'Plugins ask POST /license/verify for their plan and modules. Active once a domain is registered.',
    statusOf: ({ domainBound }) => usedWhen(domainBound),
  },
  {
    id: 'plugin_telemetry',
    name: 'Plugin telemetry',
    kind: 'telemetry',
    direction: 'inbound',
    description: 'Plugins and agents send POST /telemetry. Active while a site was heard of within a day.',
    statusOf: ({ sitesReport }) => usedWhen(sitesReport),
  },
  {
    id: 'posture_signals',
    name: 'Posture signals',
    kind: 'telemetry',
    direction: 'inbound',
    description:
      'Agents and connectors send anonymous posture of sites, servers, PCs, cloud and SaaS. Active while some is kept.',
    statusOf: ({ signalsKept }) => usedWhen(signalsKept),
  },
  {
    id: 'threat_reports',
    name: 'Threat reports',
    kind: 'threat_intelligence',
    direction: 'inbound',
    description:
      'Edges report observed threats anonymously with POST /threat-report/report. Active when one came since yesterday.',
    statusOf: ({ threatsReported }) => usedWhen(threatsReported),
  },
  {
    id: 'threat_feed',
    name: 'Threat feed',
    kind: 'threat_intelligence',
    direction: 'outbound',
    description: 'Edges fetch the corroborated feed with GET /threat-feed. The operator switches it on.',
    statusOf: ({ threatFeedEnabled }) => (threatFeedEnabled ? 'active' : 'disabled'),
  },
  {
    id: 'surface_scans',
    name: 'Surface scans',
    kind: 'scan',
    direction: 'outbound',
    description: "POST /scan looks at a tenant's own registered sites as any visitor could.",
    statusOf: ({ surfaceScans }) => (surfaceScans ? 'available' : 'disabled'),
  },
  {
    id: 'analysis_endpoint',
    name: 'Analysis endpoint',
    kind: 'analysis',
    direction: 'outbound',
    description:
      "A second opinion for POST /brain/analyze from a model on the operator's own network. Without it the built-in " +
      'analysis stands alone.',
    statusOf: ({ analysisEndpoint }) => (analysisEndpoint ? 'active' : 'disabled'),
  },
  {
    id: 'payments',
    name: 'Payments',
    kind: 'payments',
    direction: 'outbound',
    description:
      'Trials and checkout through Stripe. The operator configures it; until then they are mocked.',
    statusOf: ({ paymentsConfigured }) => (paymentsConfigured ? 'active' : 'disabled'),
  },
  {
    id: 'metrics',
    name: 'Metrics',
    kind: 'operations',
    direction: 'outbound',
    description: 'A collector of the operator reads GET /metrics in the text format of Prometheus.',
    statusOf: ({ metricsServed }) => (metricsServed ? 'available' : 'disabled'),
  },
  {
    id: 'log_shipping',
    name: 'Log shipping',
    kind: 'operations',
    direction: 'outbound',
    description:
      'The service writes JSON lines to its standard error, for the journal or any collector: request id, route, ' +
      'status, duration and license; never a key or a body.',
    statusOf: () => 'active',
  },
];

/** The integrations of this installation as one tenant sees them. Only what works is listed. */
export const integrationsOf = (facts: IntegrationFacts): Integration[] =>
  INTEGRATIONS.map(({ statusOf, ...integration }) => ({ ...integration, status: statusOf(facts) }));
