import { totpCode, totpStep } from '../../src/domain/admin/totp.ts';
import { expectHeaders } from './client.ts';
import { quickHash } from './quick-hash.ts';
import type { RunningService } from './service.ts';
import { rows } from './store.ts';

export const PASSWORD = 'correct horse battery';

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without a script, at the pages of a service. */
export class Browser {
  readonly #origin: string;
  readonly #seen: string;
  cookie: string | undefined;
  /** Of a sign-in at an identity provider that has begun. */
  flow: string | undefined;
  /** Where it says to be, to a service that trusts this host as a proxy: limits are by address. */
  address: string | undefined;

  /**
   * @param origin of the pages, the console's unless told otherwise
   * @param seen as which a browser sees it, where that is another one
   */
  constructor({ adminUrl }: Pick<RunningService, 'adminUrl'>, origin = adminUrl, seen = origin) {
    this.#origin = origin;
    this.#seen = seen;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.#ask(path, { headers });
  }

  /** Sends a form as its own page would. */
  post(
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { origin: this.#seen },
  ): Promise<Seen> {
    return this.#ask(path, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  /** Sends a body as its own page would, such as a form with files. */
  send(path: string, body: string | FormData, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.#ask(path, { method: 'POST', headers: { origin: this.#seen, ...headers }, body });
  }

  /** Signs in, and keeps the session. */
  signIn(name: string, password = PASSWORD): Promise<Seen> {
    return this.post('/console/sign-in', { name, password });
  }

  async #ask(
    path: string,
    { headers, ...init }: RequestInit & { headers: Readonly<Record<string, string>> },
  ) {
    const cookies = [this.cookie, this.flow].filter((each) => each !== undefined);
    const cookie: Record<string, string> = cookies.length === 0 ? {} : { cookie: cookies.join('; ') };
    const from = this.address === undefined ? {} : { 'x-forwarded-for': this.address };
    const response = await fetch(this.#origin + path, {
      ...init,
      headers: { ...cookie, ...from, ...headers },
      redirect: 'manual',
    });
    expectHeaders(response.headers);
    const [set] = response.headers.getSetCookie();
    if (set?.includes('redoubt_oidc=')) this.flow = set.split(';')[0];
    else if (set !== undefined) this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';')[0];
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** The path at which a new operator chooses a password. */
export async function inviteOperator(service: RunningService, name: string, role: string): Promise<string> {
  const { link } = JSON.parse(await service.command('operator', 'add', name, '--role', role, '--json'));
  return link.slice(link.indexOf('/console'));
}

/**
 * A browser in which a new operator has chosen a password, and so has signed in. Later checks of the password are
 * quick, because its hash is replaced.
 */
export async function operatorOf(service: RunningService, name: string, role = 'owner'): Promise<Browser> {
  const browser = new Browser(service);
  const path = await inviteOperator(service, name, role);
  await browser.post(path, { password: PASSWORD, again: PASSWORD });
  rows(service, 'update operators set password_hash = ? where name = ?', quickHash(PASSWORD), name);
  return browser;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const bytesOf = (base32: string) => {
  const bits = Array.from(base32, (digit) => BASE32.indexOf(digit).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
};

/** The authenticator app of an operator. */
export interface Authenticator {
  /** The code of now, or of some periods later. */
  readonly code: (later?: number) => string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets the second factor of who has signed in up, by the code of now. */
export async function setUpSecondFactor(browser: Browser): Promise<Authenticator> {
  await browser.post('/console/account/begin');
  const { text } = await browser.get('/console/account');
  const [, secret = ''] = /secret=([A-Z2-7]{32})/.exec(text) ?? [];
  const code = (later = 0) => totpCode(bytesOf(secret), totpStep(Date.now()) + later);
  const on = await browser.post('/console/account/prove', { code: code() });
  return { code, secret, recoveryCodes: on.text.match(/([0-9a-z]{4}-){3}[0-9a-z]{4}/g) ?? [] };
}
