import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { adminOf, tokenOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { Browser, operatorOf } from '../support/console.ts';
import { importDemo } from '../support/mirror.ts';
import { portalOf } from '../support/portal.ts';
import { type RunningService, start, TARGETS } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe.each([...TARGETS])('/metrics on %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: its metrics count every request.
    service = await start(target);
  });
  afterAll(() => service.end());

  const read = (headers: Record<string, string> = {}) => call(service.url, '/metrics', { headers });

  test('counts requests by route and status, and their durations, in the text format of Prometheus', async () => {
    await call(service.url, `${API}/status`);
    await call(service.url, `${API}/status`);
    await call(service.url, `${API}/me`);
    await call(service.url, '/nowhere-zq7mark');
    const { status, headers, text } = await read();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = text.split('\n');
    expect(lines).toContain('redoubt_http_requests_total{route="/api/v1/status",status="200"} 2');
    expect(lines).toContain('redoubt_http_requests_total{route="/api/v1/me",status="401"} 1');
    expect(lines).toContain('redoubt_http_request_duration_seconds_count{route="/api/v1/status"} 2');
    expect(lines).toContain(
      'redoubt_http_request_duration_seconds_bucket{route="/api/v1/status",le="+Inf"} 2',
    );
    expect(lines).toContain('redoubt_ready 1');
    expect(text).not.toContain('zq7mark');
    for (const line of lines.filter((each) => each !== '' && !each.startsWith('#'))) {
      expect(line).toMatch(/^[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [0-9.e+-]+$/);
    }
  });

  test('tells of which date the imported sources of vulnerabilities are', async () => {
    const name = 'redoubt_vulnerability_source_timestamp_seconds';
    expect((await read()).text).not.toContain(name);
    await importDemo(service, Date.UTC(2026, 10, 1));
    const { text } = await read();
    for (const source of ['demo', 'demo:epss', 'demo:kev'])
      expect(text).toContain(`${name}{source="${source}"} ${Date.UTC(2026, 10, 1) / 1_000}\n`);
  });

  test('counts attempts to sign in by door and outcome, and nothing of who tried', async () => {
    const { key } = await service.issue('--plan', 'pro');
    const counts = async () => {
      const lines = (await read()).text
        .split('\n')
        .filter((line) => line.startsWith('redoubt_sign_ins_total'));
      return Object.fromEntries(
        lines.map((line) => {
          const [, door, outcome, count] = /door="(\w+)",outcome="(\w+)"\} (\d+)$/.exec(line) ?? [];
          return [`${door} ${outcome}`, Number(count)];
        }),
      );
    };
    const before = await counts();
    const token = await tokenOf(service);
    await adminOf(service, token)('/status');
    await adminOf(service, 'zq7mark')('/status');
    await call(service.url, `${API}/me`, { key });
    await call(service.url, `${API}/me`, { key: 'zq7mark' });
    await operatorOf(service, 'olivia');
    await new Browser(service).signIn('zq7mark');
    await portalOf(service, key);
    await new Browser(service, service.url).post('/portal/sign-in', { key: 'zq7mark' });
    const after = await counts();
    const grown = Object.fromEntries(
      Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
    );
    expect(grown).toMatchObject({
      'console succeeded': 1,
      'console failed': 1,
      'portal succeeded': 1,
      'portal failed': 1,
      'token succeeded': 1,
      'token failed': 1,
      'key succeeded': 1,
      'key failed': 1,
    });
    // An address may send 30 wrong keys per minute.
    for (let tries = 0; tries < 40; tries++) await call(service.url, `${API}/sites`, { key: 'zq7mark' });
    expect((await counts())['key limited']).toBeGreaterThan(0);
    expect((await read()).text).not.toContain('zq7mark');
  });

  test('counts targets, events that wait and deliveries, once something was sent', async () => {
    const lines = [
      'redoubt_notification_targets{state="active"} 0',
      'redoubt_notification_targets{state="paused"} 0',
      'redoubt_notifications_waiting 0',
      'redoubt_notifications_dropped_total 0',
    ];
    const { text } = await read();
    for (const line of lines) expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('redoubt_notification_deliveries_total{');

    const path = join(temporaryDirectory(), 'syslog');
    const received: string[] = [];
    const receiver = createServer((socket) =>
      socket.setEncoding('utf8').on('data', (data) => received.push(String(data))),
    );
    receiver.listen(path);
    await once(receiver, 'listening');
    rows(
      service,
      `insert into targets (public_id, name, kind, address, format, events, min_severity, digest_ms, licenses, customers,
        is_personal_included, created_at)
        values ('tgt_1', 'siem', 'syslog', ?, 'structured', '["audit"]', 'info', 0, '[]', '[]', 0, 0)`,
      `syslog+unix://${path}`,
    );
    rows(service, 'insert into target_states (target_id) select id from targets');
    await service.issue('--plan', 'pro');
    while (!received.join('').includes('license.issue')) await Bun.sleep(10);
    const sent = 'redoubt_notification_deliveries_total{kind="syslog",outcome="delivered"} 1\n';
    while (!(await read()).text.includes(sent)) await Bun.sleep(10);
    expect((await read()).text).toContain('redoubt_notifications_waiting 0\n');
    receiver.close();
  });

  test('is not there for what a proxy forwards, though the proxy stands on this host', async () => {
    for (const name of [
      'x-forwarded-for',
      'forwarded',
      'via',
      'x-real-ip',
      'x-forwarded-proto',
      'cf-connecting-ip',
    ]) {
      expect([name, (await read({ [name]: '203.0.113.7' })).status]).toEqual([name, 404]);
    }
  });

  test('is not there for a web page whose name was pointed here', async () => {
    for (const host of [
      'evil.example',
      'evil.example:8080',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'x',
    ])
      for (const path of ['/metrics', '/metrics?x=1']) {
        const { status, json, text } = await call(service.url, path, { headers: { host } });
        expect([host, status, json.error.code]).toEqual([host, 404, 'NOT_FOUND']);
        expect(text).not.toContain('redoubt_');
      }
    // Public paths answer under any host name.
    for (const path of ['/healthz', '/readyz', '/docs', `${API}/status`, `${API}/openapi`])
      expect([path, (await call(service.url, path, { headers: { host: 'evil.example' } })).status]).toEqual([
        path,
        200,
      ]);
  });

  test('is there by localhost, by any address in numbers and by the name of SERVICE_BASE_URL', async () => {
    for (const host of ['localhost', 'localhost:9', 'LOCALHOST', '127.0.0.1', '[::1]:8080', '192.0.2.7'])
      expect([host, (await read({ host })).status]).toEqual([host, 200]);
    const named = await start(target, { SERVICE_BASE_URL: 'https://Redoubt.example' });
    for (const [host, status] of [
      ['redoubt.example', 200],
      ['redoubt.example:8080', 200],
      ['other.example', 404],
    ] as const)
      expect([host, (await call(named.url, '/metrics', { headers: { host } })).status]).toEqual([
        host,
        status,
      ]);
    await named.end();
  });

  test('is not there for an address that is not allowed to read it', async () => {
    const closed = await start(target, { SERVICE_METRICS_ALLOW: '203.0.113.0/24' });
    const { status, headers, json } = await call(closed.url, '/metrics');
    expect([status, json.error.code]).toEqual([404, 'NOT_FOUND']);
    // It draws from the same limit as every other path that is not there.
    const unknown = await call(closed.url, '/nope');
    const limits = [headers, unknown.headers].map((each) => each.get('x-ratelimit-limit'));
    expect(limits).toEqual(['300', '300']);
    await closed.end();
  });
});
