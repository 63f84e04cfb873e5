import { Browser } from './console.ts';
import type { RunningService } from './service.ts';

/** A browser that has signed in to the portal of a service with a license key. */
export async function portalOf(service: RunningService, key: string): Promise<Browser> {
  const browser = new Browser(service, service.url);
  const { status, headers } = await browser.post('/portal/sign-in', { key });
  if (status !== 303 || headers.get('location') !== '/portal') throw new Error(`no session: ${status}`);
  return browser;
}
