import { OWN_BRAND } from '../../src/domain/brand/brand.ts';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import { refuse } from '../../src/domain/refusal.ts';
import { InsideRequests } from '../../src/http/inside-requests.ts';
import { createLimits } from '../../src/http/limits.ts';
import { systemAfter, systemClock } from '../../src/lib/clock.ts';
import { Downloads } from '../../src/pages/downloads.ts';
import { portalPages } from '../../src/portal/portal.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { Browser } from './console.ts';
import type { RunningService } from './service.ts';

/** Every path of the portal except assets, with its method, without a service: its parts are never called. */
export const portalRoutes: readonly { readonly method: string; readonly path: string }[] = portalPages({
  config: loadConfig({}),
  catalog: defaultCatalog,
  clock: systemClock,
  limits: createLimits(loadConfig({}), () => '', systemClock.monotonic),
  writer: { write: async () => refuse('STORE_UNAVAILABLE', 'There is no store.') },
  findLicense: () => undefined,
  portal: {
    sessionOf: async () => undefined,
    licenseOf: async () => undefined,
    customerOf: async () => null,
    openAlertsOf: async () => 0,
    unprovenOf: async () => [],
    seen: () => ({ overTls: false, origin: '' }),
    downloads: new Downloads({ ...systemClock, after: systemAfter, onFault: () => {} }),
  },
  inside: new InsideRequests(),
  brand: OWN_BRAND,
  fetch: () => new Response(),
})
  .map(({ method, path }) => ({ method, path }))
  .filter(({ path }) => !/\.(?:css|js|svg)$/.test(path));

/** A browser signed in to the portal of a service with a license key. */
export async function portalOf(service: RunningService, key: string): Promise<Browser> {
  const browser = new Browser(service, service.url, service.env.SERVICE_BASE_URL);
  const { status, headers } = await browser.post('/portal/sign-in', { key });
  if (status !== 303 || headers.get('location') !== '/portal') throw new Error(`no session: ${status}`);
  return browser;
}
