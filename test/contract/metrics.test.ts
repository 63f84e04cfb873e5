import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { importDemo } from '../support/mirror.ts';
import { type RunningService, start, TARGETS } from '../support/service.ts';

describe.each([...TARGETS])('/metrics on %s', (target) => {
  let service: RunningService;
  beforeAll(async () => {
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

  test('is not there for what a proxy forwards, though the proxy stands on this host', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      expect([name, (await read({ [name]: '203.0.113.7' })).status]).toEqual([name, 404]);
    }
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
