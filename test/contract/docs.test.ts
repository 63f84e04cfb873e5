import { afterAll, beforeAll, expect, test } from 'bun:test';
import { call, expectHeaders } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await start('binary');
});
afterAll(() => service.end());

test('the reference names no other host, and a policy forbids the browser to ask one', async () => {
  const page = await call(service.url, '/docs');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
  expect(assets.length).toBe(3);
  for (const address of assets) {
    expect(address).toStartWith('/docs/');
    expect((await call(service.url, address)).text.length).toBeGreaterThan(50);
  }
});

test('health and readiness answer without a key', async () => {
  expect((await call(service.url, '/healthz')).json).toEqual({ status: 'alive' });
  expect((await call(service.url, '/readyz')).json).toEqual({ status: 'ready', problems: [] });
});

test('a browser that is given the bare address finds the reference, and asks for its icon in vain but in peace', async () => {
  const root = await fetch(service.url, { redirect: 'manual' });
  expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
  expectHeaders(root.headers);
  expect((await call(service.url, '/')).text).toBe((await call(service.url, '/docs')).text);
  const icon = await call(service.url, '/favicon.ico');
  expect([icon.status, icon.text]).toEqual([204, '']);
});
