import { afterAll, beforeAll, expect, test } from 'bun:test';
import { call } from '../support/client.ts';
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
