import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { API, call, expectHeaders } from '../support/client.ts';
import { engineOf } from '../support/engines.ts';
import { sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, start, TARGETS, until } from '../support/service.ts';
import { stored } from '../support/store.ts';

/** More than one read of a connection returns. */
const REQUESTS = 12_500;
const UNLIMITED = { SERVICE_RATE_IP_PER_MINUTE: '100000000', SERVICE_RATE_KEY_PER_MINUTE: '100000000' };

const request = (line: string, headers = '') => `${line} HTTP/1.1\r\nHost:x.test\r\n${headers}\r\n`;

/** A connection that sends requests without waiting for answers. */
function flood(service: RunningService, text: string) {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const state = { closed: false, received: '' };
  socket.on('connect', () => socket.write(text));
  socket.on('data', (data: Buffer) => {
    state.received += data;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    state.closed = true;
  });
  return { state, end: () => socket.destroy() };
}

describe.each([...TARGETS])(
  'next to a connection that sends thousands of requests at once to %s',
  (target) => {
    let service: RunningService;
    beforeAll(async () => {
      // Its own process: it is flooded and suspended.
      service = await start(target, UNLIMITED);
    });
    afterAll(() => service.end());

    test.each([
      ['HEAD', `${API}/openapi`],
      ['HEAD', '/docs/viewer.js'],
      ['GET', '/nope'],
      ['GET', `${API}/status`],
    ])('and repeats %s %s, another client is answered before the last of them', async (method, path) => {
      await call(service.url, path);
      const { state, end } = flood(service, request(`${method} ${path}`).repeat(REQUESTS));
      await until(() => state.received.length > 0);
      expect((await call(service.url, `${API}/status`)).status).toBe(200);
      expect(state.received.split('HTTP/1.1 ').length - 1).toBeLessThan(REQUESTS);
      end();
    });
  },
);

describe('the executable', () => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await start('binary', UNLIMITED);
    ({ key } = await service.issue('--plan', 'pro', '--test'));
  });
  afterAll(() => service.end());

  test('answers a flooding connection in order and completely, until it closes the connection', async () => {
    const answers = await sendRawToTheEnd(service.url, request(`GET ${API}/status`).repeat(REQUESTS));
    expect(answers.length).toBeWithin(1, REQUESTS);
    for (const { status, headers } of answers) {
      expect(status).toBe(200);
      expectHeaders(headers);
    }
    // The client's system may drop unread answers, including that one.
    for (const { headers } of answers.slice(0, -1)) expect(headers.get('connection')).not.toBe('close');
  });

  test('stops working for a client that has reset its connection', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(request(`GET ${API}/status`));
    await new Promise((resolve) => socket.once('data', resolve));
    const before = service.log().length;
    service.process.kill('SIGSTOP');
    await new Promise((resolve) => socket.write(request('GET /reset'), resolve));
    socket.resetAndDestroy();
    service.process.kill('SIGCONT');
    const log = () => service.log().slice(before);
    await until(async () => {
      await call(service.url, `${API}/status`);
      return log().split('/status').length > 2;
    });
    expect(log()).not.toContain('"status":404');
  });

  test('accepts requests of others meanwhile, with bodies, and drops disconnected clients', async () => {
    const text = request(`GET ${API}/me`, `Authorization: Bearer ${key}\r\n`).repeat(REQUESTS);
    const floods = Array.from({ length: 20 }, () => flood(service, text));
    // Bun closes a connection with further requests after a slow answer, as those from PostgreSQL are.
    const isEmbedded = engineOf(import.meta).name === 'SQLite';
    await until(() => floods.some(({ state }) => state.received.length > 0 || (!isEmbedded && state.closed)));
    for (const { end } of floods.slice(10)) end();
    const events = Array.from({ length: 100 }, () => ({
      type: 'attack_blocked',
      message: 'm'.repeat(1_000),
    }));
    const sent = Array.from({ length: 20 }, (_, site) =>
      call(service.url, `${API}/telemetry`, { key, body: { domain: `site${site}.test`, events } }),
    );
    for (const { status, json } of await Promise.all(sent)) {
      expect([status, json.data.events_accepted]).toEqual([200, 100]);
    }
    await until(() => floods.every(({ state }) => state.closed));
    expect(stored(service).events).toBe(2_000);
    expect(service.log()).not.toContain('unexpected error');
  });
});
