import { API, call, type Reply } from './client.ts';
import type { RunningService } from './service.ts';

/** A license with the calls of its owner. */
export interface Tenant {
  readonly key: string;
  readonly licenseId: string;
  get(path: string): Promise<Reply>;
  heartbeat(domain: string, more?: object): Promise<Reply>;
  send(domain: string, events: readonly object[]): Promise<Reply>;
  analytics(body?: unknown): Promise<Reply>;
}

/** Issues a test license, which may report from any domain. */
export async function tenantOf(service: RunningService, ...options: string[]): Promise<Tenant> {
  const issued = await service.issue('--plan', 'pro', '--test', ...options);
  const { key } = issued;
  const post = (path: string, body: unknown) =>
    call(service.url, API + path, { key, method: 'POST', ...(body === undefined ? {} : { body }) });
  return {
    key,
    licenseId: issued.license_id,
    get: (path) => call(service.url, API + path, { key }),
    heartbeat: (domain, more = {}) =>
      post('/telemetry', { site_url: `https://${domain}`, license_key: key, ...more }),
    send: (domain, events) => post('/telemetry', { domain, events }),
    analytics: (body) => post('/analytics/metrics', body),
  };
}

/** The states of the integrations for a license of plan pro. */
export async function integrationStates(url: string, key: string): Promise<Record<string, string>> {
  const { integrations } = (await call(url, `${API}/connect`, { key })).json.data;
  return Object.fromEntries(integrations.map(({ id, status }: Record<string, string>) => [id, status]));
}
