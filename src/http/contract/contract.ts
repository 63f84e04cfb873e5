/** Tags of the contract, in reading order. */
export const TAGS = {
  service: 'Service',
  licensing: 'Licensing',
  telemetry: 'Telemetry',
  signals: 'Signals',
  tenant: 'What a tenant sees',
  threats: 'Threat intelligence',
  vulnerabilities: 'Vulnerabilities',
  trust: 'Public trust',
} as const;

/** What operations of a tag are about. */
export const TAG_MEANINGS: Readonly<Record<(typeof TAGS)[keyof typeof TAGS], string>> = {
  [TAGS.service]: 'The state of this service, and this document.',
  [TAGS.licensing]: 'Verify a license, start a trial, open a checkout.',
  [TAGS.telemetry]: 'Heartbeats and events of sites.',
  [TAGS.signals]: 'Reports of counts, ratios, flags and bands, without personal data, secrets or content.',
  [TAGS.tenant]: 'Sites, events, scans, analysis, credentials and evidence of one license.',
  [TAGS.threats]: 'Threat reports, and the feed of what several customers reported.',
  [TAGS.vulnerabilities]: 'Known vulnerabilities of components, and their risk.',
  [TAGS.trust]: 'What anybody can see without a key.',
};

export const BEARER_SECURITY = [{ bearerKey: [] }];
export const PUBLIC: Record<string, string[]>[] = [];
export const BEARER_OPTIONAL = [{}, { bearerKey: [] }];
