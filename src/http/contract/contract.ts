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

export const BEARER_SECURITY = [{ bearerKey: [] }];
export const PUBLIC: Record<string, string[]>[] = [];
export const BEARER_OPTIONAL = [{}, { bearerKey: [] }];
