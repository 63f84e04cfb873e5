import { Browser } from '../console.ts';
import { freePort } from '../free-port.ts';
import type { Env, RunningService } from '../service.ts';
import { ALICE, type FakeProvider } from './fake-provider.ts';

/** Settings of a console whose address is known before it starts. */
export async function consoleSettings(): Promise<{ readonly origin: string; readonly settings: Env }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    settings: {
      SERVICE_ADMIN_PORT: String(port),
      SERVICE_ADMIN_URL: origin,
      // Sign-ins are limited by address, and each browser has its own.
      SERVICE_ADMIN_TRUSTED_PROXIES: '127.0.0.0/8',
      SERVICE_OIDC_NAME: 'Example ID',
      SERVICE_OIDC_ROLES: 'owner=redoubt-owners,operator=redoubt-ops,support=helpdesk,viewer=everyone',
    },
  };
}

let browsers = 0;
export function newBrowser(service: RunningService): Browser {
  const browser = new Browser(service);
  browsers += 1;
  browser.address = `10.1.${browsers >> 8}.${browsers & 255}`;
  return browser;
}

/** Sends a browser to the provider, and gives the address there. */
export async function toProvider(browser: Browser, path = '/console/oidc/sign-in'): Promise<string> {
  const { status, headers, text } = await browser.get(path);
  if (status !== 303) throw new Error(`${path} answers ${status}: ${text}`);
  return headers.get('location') ?? '';
}

/** The way back of a browser, as an honest provider sends it. */
export function wayBack(fake: FakeProvider, url: string, person?: object): URLSearchParams {
  const state = new URL(url).searchParams.get('state') ?? '';
  const code = fake.codeFor(url, { ...ALICE, ...person });
  return new URLSearchParams({ code, state, iss: fake.issuer });
}

export const comeBack = (browser: Browser, answer: URLSearchParams) =>
  browser.get(`/console/oidc/callback?${answer}`);

/** Signs a person in by the fake. */
export async function signInAs(browser: Browser, fake: FakeProvider, person?: object) {
  const url = await toProvider(browser);
  return comeBack(browser, wayBack(fake, url, person));
}
