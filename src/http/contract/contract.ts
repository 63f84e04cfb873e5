/** Tags of the contract, in reading order. */
export const TAGS = {
  service: 'Service',
  licensing: 'Licensing',
  telemetry: 'Telemetry',
  signals: 'Signals',
  tenant: 'Tenant data',
  threats: 'Threat intelligence',
  vulnerabilities: 'Vulnerabilities',
  trust: 'Public trust',
} as const;

/** Descriptions of the tags. */
export const TAG_MEANINGS: Readonly<Record<(typeof TAGS)[keyof typeof TAGS], string>> = {
  [TAGS.service]: 'Service status, and this document.',
  [TAGS.licensing]: 'Verify a license, start a trial, open a checkout.',
  [TAGS.telemetry]: 'Heartbeats and events from sites.',
  [TAGS.signals]:
    'Reports of counts, ratios, flags and bands. They contain no personal data, secrets or content.',
  [TAGS.tenant]: 'Sites, events, scans, analyses, credentials and evidence of one license.',
  [TAGS.threats]: 'Threat reports, and the feed of threats that several customers reported.',
  [TAGS.vulnerabilities]: 'Known vulnerabilities of components, and their risk.',
  [TAGS.trust]: 'Public information; no key required.',
};

export const BEARER_SECURITY = [{ bearerKey: [] }];
export const PUBLIC: Record<string, string[]>[] = [];
export const BEARER_OPTIONAL = [{}, { bearerKey: [] }];
