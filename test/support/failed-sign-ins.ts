import { adminOf } from './admin.ts';
import { API, call } from './client.ts';
import { Browser } from './console.ts';
import type { RunningService } from './service.ts';

/** Settings of a service that believes where callers of a test say to be. */
export const TRUSTING_PROXIES = {
  SERVICE_TRUSTED_PROXIES: '127.0.0.1',
  SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.1',
};
/** What is wrong in each sign-in. */
export const WRONG = 'zq7mark';

/** Sign-ins that fail, by the kind in their log lines. */
export function failingSignIns(
  service: RunningService,
): Readonly<Record<string, (address: string) => Promise<{ status: number }>>> {
  const browserAt = (address: string, url: string) => {
    const browser = new Browser(service, url);
    browser.address = address;
    return browser;
  };
  return {
    console: (address) => browserAt(address, service.adminUrl).signIn(`ada-${WRONG}`, `${WRONG} wrong`),
    portal: (address) => browserAt(address, service.url).post('/portal/sign-in', { key: WRONG }),
    token: (address) =>
      adminOf(service, `rdt_admin_${WRONG}`)('/licenses', { headers: { 'x-forwarded-for': address } }),
    key: (address) => call(service.url, `${API}/me`, { key: WRONG, headers: { 'x-forwarded-for': address } }),
  };
}

/** The lines of failed sign-ins in the log of a service. */
export const failedSignInLines = (service: RunningService): string[] =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('"sign-in failed"'));
