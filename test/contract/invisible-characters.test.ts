import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminOf, tokenOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { Browser, operatorOf, PASSWORD, setUpSecondFactor } from '../support/console.ts';
import { sendRaw } from '../support/raw.ts';
import { type RunningService, run, SEAM_TARGETS, sharedService, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Characters that copying, editors and `echo` add. */
const AROUND: readonly (readonly [string, string, string])[] = [
  ['a newline', '', '\n'],
  ['CR LF', '', '\r\n'],
  ['blanks', '  ', ' '],
  ['tabs', '\t', '\t'],
  ['a byte order mark', '\ufeff', ''],
  ['zero-width spaces', '\u200b', '\u200b\u2060'],
  ['no-break spaces', '\u00a0', '\u202f'],
  ['direction marks', '\u200e', '\u200f'],
];

describe.each([...SEAM_TARGETS])('on %s', (target) => {
  let service: RunningService;
  let key: string;
  let license: string;
  let token: string;
  beforeAll(async () => {
    service = await sharedService(target);
    ({ key, license_id: license } = await service.issue('--plan', 'pro', '--domain', 'shop.com'));
    token = await tokenOf(service, ['licenses:read'], 'invisible-characters');
  });

  describe.each(AROUND)('%s around a secret is ignored', (_, left, right) => {
    const wrapped = (secret: string) => left + secret + right;
    const post = (path: string, body: object, as?: string) =>
      call(service.url, API + path, { ...(as ? { key: as } : {}), body });

    test('in bodies', async () => {
      const verified = await post('/license/verify', { api_key: wrapped(key), domain: 'shop.com' });
      expect(verified.json.valid).toBe(true);
      const beat = { site_url: 'shop.com', license_key: wrapped(key) };
      expect((await post('/telemetry', beat, key)).json.data?.ack).toBe('heartbeat');
      const { key: trial } = await service.issue('--plan', 'pro', '--trial', '--test');
      expect((await post('/checkout', { items: ['pro'], license_key: wrapped(trial) })).json.mock).toBe(true);
    });

    test('in the Authorization header', async () => {
      if (/[\r\n]/.test(left + right)) return;
      for (const path of ['/me', '/threat-feed', '/sites']) {
        const head = `GET ${API}${path} HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n`;
        const { status } = await sendRaw(
          service.url,
          Buffer.from(`${head}Authorization: Bearer ${wrapped(key)}\r\n\r\n`),
        );
        expect([path, status]).toEqual([path, 200]);
      }
    });

    test('in the admin API', async () => {
      const admin = adminOf(service, token);
      expect((await admin('/licenses/explain', { body: { key: wrapped(key) } })).json.data.license_id).toBe(
        license,
      );
      const found = await admin('/licenses/find', { body: { text: wrapped(key) } });
      expect(found.json.data.licenses).toMatchObject([{ matched: 'key', license_id: license }]);
      if (/[\r\n]/.test(left + right)) return;
      const head = `GET /admin/v1/licenses HTTP/1.1\r\nHost: ${new URL(service.adminUrl).host}\r\nConnection: close\r\n`;
      const { status } = await sendRaw(
        service.adminUrl,
        Buffer.from(`${head}Authorization: Bearer ${wrapped(token)}\r\n\r\n`),
      );
      expect(status).toBe(200);
    });

    test('in forms of the portal', async () => {
      const browser = new Browser(service, service.url);
      expect((await browser.post('/portal/sign-in', { key: wrapped(key) })).status).toBe(303);
    });

    test('in commands', async () => {
      const words = ['license', 'explain', wrapped(key), '--json'];
      expect(JSON.parse((await run(target, service.env, ...words)).stdout).license_id).toBe(license);
    });
  });

  test('a text within visible characters is a different one', async () => {
    const body = { api_key: `"${key}"`, domain: 'shop.com' };
    expect((await call(service.url, `${API}/license/verify`, { body })).json.valid).toBe(false);
    for (const authorization of [
      'Bearer',
      `Bearer${key}`,
      `Bearer ${key} x`,
      `Basic ${key}`,
      `x Bearer ${key}`,
    ])
      expect([
        authorization.length,
        (await call(service.url, `${API}/me`, { headers: { authorization } })).status,
      ]).toEqual([authorization.length, 401]);
  });
});

describe.each(AROUND)('%s around other secrets is ignored', (what, left, right) => {
  test('in settings, in files of secrets and in SERVICE_CONFIG', async () => {
    const folder = temporaryDirectory();
    const file = (name: string, text: string) => {
      const path = join(folder, name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    };
    const settings = {
      SERVICE_DATA_DIR: join(folder, 'data'),
      SERVICE_STRIPE_SECRET_KEY_FILE: file('stripe', `${left}sk_test_${'x'.repeat(24)}${right}`),
      SERVICE_STRIPE_WEBHOOK_SECRET: `${left}whsec_${'x'.repeat(32)}${right}`,
      SERVICE_BASE_URL: `${left}https://redoubt.example${right}`,
      SERVICE_CONFIG: file('config', `${left}SERVICE_PORT=0${right}`),
    };
    const { exitCode, stderr } = await run('binary', settings, 'config', 'check');
    expect([what, exitCode, stderr.match(/.*(?:STRIPE|BASE_URL|must be|unknown).*/gi)]).toEqual([
      what,
      0,
      null,
    ]);
  });
});

test('codes of a second factor and recovery codes are read as people type them', async () => {
  // Its own process: it trusts a proxy, so that each browser has its own address.
  const service = await start('binary', { SERVICE_TRUSTED_PROXIES: '127.0.0.1' });
  try {
    const browser = await operatorOf(service, 'dora');
    browser.address = '10.2.0.1';
    const { code, recoveryCodes } = await setUpSecondFactor(browser);
    const given = [
      `\u200b${code(1).slice(0, 3)}\u2009${code(1).slice(3)}\ufeff`,
      `\ufeff${recoveryCodes[0]}\u200b`,
    ];
    for (const [at, text] of given.entries()) {
      const other = new Browser(service);
      other.address = `10.2.1.${at}`;
      await other.signIn('dora', PASSWORD);
      expect([at, (await other.post('/console/sign-in/code', { code: text })).status]).toEqual([at, 303]);
    }
  } finally {
    await service.end();
  }
});
