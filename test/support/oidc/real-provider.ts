import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { BUN, until } from '../service.ts';

/** A provider that is oidc-provider, in its own process. */
export interface RealProvider {
  readonly issuer: string;
  /** The settings by which a console uses it. */
  readonly settings: Readonly<Record<string, string>>;
  end(): Promise<void>;
}

/**
 * Starts the provider.
 *
 * @param console_ scheme, host and port of the console
 * @param inToken whether its ID tokens have the groups
 */
export async function startRealProvider(console_: string, inToken = true): Promise<RealProvider> {
  const port = await freePort();
  const child = spawn(BUN, [join(import.meta.dir, 'real-server.mjs')], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      CONSOLE: console_,
      IN_TOKEN: inToken ? '1' : '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await until(
    () => said.includes('listens'),
    20_000,
    () => said,
  );
  const issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    settings: {
      SERVICE_OIDC_ISSUER: issuer,
      SERVICE_OIDC_CLIENT_ID: 'redoubt',
      SERVICE_OIDC_CLIENT_SECRET: 'a secret of the console',
    },
    end() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** A person's browser at the provider, with its cookies. */
export class PersonAtProvider {
  readonly #cookies = new Map<string, string>();

  /**
   * Signs in and consents, as far as the provider asks.
   *
   * @param url where the console sent the browser
   * @param login such as `alice:redoubt-owners`
   * @returns where the provider sends the browser back, and how many forms it showed
   */
  async signIn(url: string, login: string): Promise<{ readonly back: string; readonly forms: number }> {
    const { origin } = new URL(url);
    let [at, forms] = [url, 0];
    let body: URLSearchParams | undefined;
    for (let step = 0; step < 20; step += 1) {
      const { location, text } = await this.#ask(at, body);
      body = undefined;
      if (location !== undefined) {
        at = new URL(location, at).href;
        if (!at.startsWith(origin)) return { back: at, forms };
        continue;
      }
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(text) ?? [];
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? '';
      if (action === '') throw new Error(`the provider shows no form: ${text.slice(0, 2_000)}`);
      at = new URL(action, at).href;
      forms += 1;
      body = new URLSearchParams({ prompt, login, password: 'x' });
    }
    throw new Error('the provider does not come to an end');
  }

  async #ask(url: string, body: URLSearchParams | undefined) {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...(body ? { method: 'POST', body } : {}),
      headers: { cookie },
      redirect: 'manual',
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return { location: response.headers.get('location') ?? undefined, text: await response.text() };
  }
}
