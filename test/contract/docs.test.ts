import { beforeAll, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { API, call } from '../support/client.ts';
import { type RunningService, sharedService } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

test('the reference names no other host, and a policy forbids the browser to contact one', async () => {
  const page = await call(service.url, '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
  expect(assets.length).toBe(4);
  for (const address of assets) {
    expect(address).toStartWith('/docs/');
    expect((await call(service.url, address)).text.length).toBeGreaterThan(50);
  }
});

const PAGES = ['/docs', '/docs/start.js', '/docs/viewer.js', '/docs/viewer.css'];
const HANDBOOK = [
  '/docs/handbook',
  '/docs/handbook/search',
  '/docs/handbook.css',
  '/docs/handbook-search.json',
  '/',
];

test.each([...PAGES, ...HANDBOOK, `${API}/openapi`])(
  '%s is sent compressed to clients that accept that, and once to clients that cache it',
  async (path) => {
    const answerTo = (headers: Record<string, string>) =>
      fetch(service.url + path, { headers, decompress: false });
    const plain = await answerTo({ 'accept-encoding': 'identity' });
    const small = await answerTo({ 'accept-encoding': 'gzip' });
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([
      null,
      'gzip',
    ]);
    expect(gunzipSync(await small.arrayBuffer()).toString()).toBe(await plain.text());

    const etags = [plain, small].map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(etags).size).toBe(2);
    for (const etag of [...etags, `"other", W/${etags[0]}`, '*']) {
      const unchanged = await call(service.url, path, { headers: { 'if-none-match': etag } });
      expect([unchanged.status, unchanged.text]).toEqual([304, '']);
      expect(unchanged.headers.get('cache-control')).toBe('no-cache');
    }
    for (const etag of ['"other"', ',', `${','.repeat(100)}${etags[0]}`]) {
      expect((await call(service.url, path, { headers: { 'if-none-match': etag } })).status).toBe(200);
    }

    const head = await call(service.url, path, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
      200,
      '',
      plain.headers.get('content-length'),
    ]);
  },
);

test('health and readiness answer without a key', async () => {
  expect((await call(service.url, '/healthz')).json).toEqual({ status: 'alive' });
  expect((await call(service.url, '/readyz')).json).toEqual({ status: 'ready', problems: [], warnings: [] });
});

test('the bare address is a page that links to the portal, the handbook and the reference, with a search', async () => {
  const { status, headers, text } = await call(service.url, '/');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html;charset=utf-8']);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
  for (const [, address = ''] of text.matchAll(/(?:href|action)="([^"]+)"/g))
    expect([address, (await fetch(service.url + address)).status]).toEqual([address, 200]);
  expect(text.match(/href="[^"]+"/g)).toEqual(['href="/portal"', 'href="/docs/handbook"', 'href="/docs"']);
});

test("a browser's request for an icon gets an empty answer", async () => {
  const icon = await call(service.url, '/favicon.ico');
  expect([icon.status, icon.text]).toEqual([204, '']);
});
