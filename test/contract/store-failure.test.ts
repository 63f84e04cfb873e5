import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, renameSync } from 'node:fs';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { API, call } from '../support/client.ts';
import { engineOf } from '../support/engines.ts';
import { type RawAnswer, sendRaw } from '../support/raw.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { holdChanges, stored, without } from '../support/store.ts';

// Needs many starts of the service.

const isEmbedded = engineOf(import.meta).name === 'SQLite';

let service: RunningService;
let key: string;
beforeAll(async () => {
  // Its own process: its tables are removed.
  service = await start('binary', { SERVICE_RATE_KEY_PER_MINUTE: '100000' });
  key = (await service.issue('--plan', 'pro', '--test')).key;
});
afterAll(() => service.end());

const sendEvent = () =>
  call(service.url, `${API}/telemetry`, { key, body: { domain: 'shop.com', events: [{ type: 'x' }] } });
const report = () =>
  call(service.url, `${API}/threat-report/report`, {
    key,
    body: { attackType: 'xss', behaviorClass: 'b', payloadHash: 'p', siteIdHash: 's', licenseIdHash: 'l' },
  });

test('a failing store is 503 with Retry-After, stores nothing, reveals no details, and recovers', async () => {
  const before = stored(service);
  await without(service, ['events'], async () => {
    const { status, headers, json } = await sendEvent();
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'STORE_UNAVAILABLE', '1']);
    await until(() => service.log().includes('a change could not be stored'));
    // One failing change proves nothing about the others.
    expect((await call(service.url, '/readyz')).status).toBe(200);
  });
  expect(stored(service)).toEqual(before);
  expect((await sendEvent()).status).toBe(200);
});

test('a store that cannot commit is not ready, reports that in general words, and recovers without a client', async () => {
  const letGo = await holdChanges(service);
  const ready = () => call(service.url, '/readyz');
  // The watch would detect it automatically, but only after up to ten seconds.
  expect((await sendEvent()).status).toBe(503);
  const { status, json, text } = await ready();
  expect([status, json.status, json.problems]).toEqual([503, 'not ready', ['changes cannot be stored']]);
  expect(text).not.toMatch(/sqlite|lock|busy/i);
  expect((await call(service.url, `${API}/status`)).json.data.status).toBe('degraded');
  await letGo();
  await until(async () => (await ready()).status === 200);
});

test('a failing report store has its own code', async () => {
  await without(service, ['threat_reports'], async () => {
    const { status, headers, json } = await report();
    expect([status, json.error.code]).toEqual([503, 'THREATREPORT_STORE_UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('5');
  });
  expect((await report()).status).toBe(200);
});

/** PostgreSQL counts as unavailable then. */
const UNREADABLE = isEmbedded ? [500, 'INTERNAL'] : [503, 'STORE_UNAVAILABLE'];
/** PostgreSQL is queried from time to time. */
const isReady = (status: number) =>
  until(async () => (await call(service.url, '/readyz')).status === status, isEmbedded ? 0 : undefined);

test.each(['licenses', 'generations'])(
  'a database with an unreadable %s is a fault with every header, not ready, and recovers',
  async (table) => {
    const { key: fresh } = await service.issue('--plan', 'pro', '--test');
    const me = () => call(service.url, `${API}/me`, { key: fresh });
    await without(service, [table], async () => {
      await isReady(503);
      const { status, json } = await me();
      expect([status, json.error.code]).toEqual(UNREADABLE);
      expect((await call(service.url, `${API}/nowhere`, { key: fresh })).status).toBe(404);
    });
    await isReady(200);
    expect((await me()).status).toBe(200);
  },
);

test.if(isEmbedded)('a database with a replaced file is not ready', async () => {
  const path = databasePath(service.env.SERVICE_DATA_DIR as string);
  renameSync(path, `${path}.aside`);
  expect((await call(service.url, '/readyz')).status).toBe(503);
  copyFileSync(`${path}.aside`, path);
  const replaced = await call(service.url, '/readyz');
  expect([replaced.status, replaced.json.problems.length]).toEqual([503, 1]);
  renameSync(`${path}.aside`, path);
  expect((await call(service.url, '/readyz')).status).toBe(200);
});

test('a fault in a thread is logged without the data that it could not store', async () => {
  const sentinel = 'zq7sentinel';
  await without(service, ['sites'], async () => {
    const body = { site_url: `${sentinel}.com`, license_key: key, stats: { [sentinel]: sentinel } };
    expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(503);
  });
  expect(service.log()).toContain('recordTelemetry: ');
  expect(service.log()).not.toContain(sentinel);
});

test('a store locked by another process serves reads, queues a limited number and refuses the rest', async () => {
  const WAITING_MAX = 256;
  const BATCH_MAX = 32;
  const body = '{"domain":"shop.com","events":[]}';
  const request =
    `POST ${API}/telemetry HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`;
  const letGo = await holdChanges(service);
  const answered: RawAnswer[] = [];
  const writes = Array.from({ length: 400 }, async () => {
    answered.push(await sendRaw(service.url, request));
  });
  await until(() => answered.length >= 400 - WAITING_MAX - BATCH_MAX);
  for (const { status, headers } of answered)
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
  await letGo();
  await Promise.all(writes);
  const taken = answered.filter(({ status }) => status === 200).length;
  expect(taken).toBeWithin(WAITING_MAX, WAITING_MAX + BATCH_MAX + 1);
  expect(answered.filter(({ status }) => status === 503)).toHaveLength(400 - taken);
});
