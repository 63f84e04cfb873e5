import { expectHeaders } from './client.ts';
import type { RunningService } from './service.ts';

export const PASSWORD = 'correct horse battery';

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without a script, at the console of a service. */
export class Browser {
  readonly #service: RunningService;
  cookie: string | undefined;

  constructor(service: RunningService) {
    this.#service = service;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Seen> {
    return this.#ask(path, { headers });
  }

  /** Sends a form as its own page would. */
  post(
    path: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { origin: this.#service.adminUrl },
  ): Promise<Seen> {
    return this.#ask(path, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  /** Signs in, and keeps the session. */
  signIn(name: string, password = PASSWORD): Promise<Seen> {
    return this.post('/console/sign-in', { name, password });
  }

  async #ask(
    path: string,
    { headers, ...init }: RequestInit & { headers: Readonly<Record<string, string>> },
  ) {
    const cookie = this.cookie === undefined ? {} : { cookie: this.cookie };
    const response = await fetch(this.#service.adminUrl + path, {
      ...init,
      headers: { ...cookie, ...headers },
      redirect: 'manual',
    });
    expectHeaders(response.headers);
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';')[0];
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** The path at which a new operator chooses a password. */
export async function inviteOperator(service: RunningService, name: string, role: string): Promise<string> {
  const { link } = JSON.parse(await service.command('operator', 'add', name, '--role', role, '--json'));
  return link.slice(link.indexOf('/console'));
}

/** A browser in which a new operator has chosen a password, and so has signed in. */
export async function operatorOf(service: RunningService, name: string, role = 'owner'): Promise<Browser> {
  const browser = new Browser(service);
  const path = await inviteOperator(service, name, role);
  await browser.post(path, { password: PASSWORD, again: PASSWORD });
  return browser;
}
