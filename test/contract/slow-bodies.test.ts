import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, expectHeaders } from '../support/client.ts';
import { violation } from '../support/conformance.ts';
import { sendRaw } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, start } from '../support/service.ts';
import { stored } from '../support/store.ts';

const ROUTES = [
  { path: '/license/verify', body: '{"domain":"shop.com"}', flat: true },
  { path: '/telemetry', body: '{"domain":"shop.com","events":[{"type":"x"}]}', flat: false },
  { path: '/threat-report/report', body: '{"attackType":"xss"}', flat: false },
];

describe.each([...SEAM_TARGETS])('a body that stops half way, sent to %s', (target) => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    // Its own process: the body timeout is a setting.
    service = await start(target, { SERVICE_BODY_TIMEOUT_SECONDS: '1' });
    key = (await service.issue('--plan', 'pro')).key;
  });
  afterAll(() => service.end());

  const head = (path: string, framing: string) =>
    `POST ${API}${path} HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\n${framing}\r\n\r\n`;
  const half = (text: string) => text.slice(0, text.length / 2);
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  test.concurrent('is 408 with every header on every route, chunked or not, and none of it is stored', async () => {
    const before = stored(service);
    const attempts = ROUTES.flatMap(({ path, body, flat }) => [
      { path, flat, sent: head(path, `Content-Length: ${body.length}`) + half(body) },
      { path, flat, sent: head(path, 'Transfer-Encoding: chunked') + chunk(half(body)) },
      { path, flat, sent: head(path, `Content-Length: ${body.length}`) },
    ]);
    const answers = attempts.map(async ({ path, flat, sent }) => {
      const answer = await sendRaw(service.url, sent);
      const json = JSON.parse(answer.body);
      expect([path, answer.status, flat ? json.error : json.error.code]).toEqual([
        path,
        408,
        'REQUEST_TIMEOUT',
      ]);
      if (flat) expect(json).toMatchObject({ valid: false, plan: 'free' });
      expectHeaders(answer.headers);
      expect(answer.headers.get('connection')).toContain('close');
      expect(violation('POST', API + path, answer, json)).toBeUndefined();
    });
    await Promise.all(answers);
    expect(stored(service)).toEqual(before);
    expect(service.log()).not.toContain('unexpected error');
  });

  test.concurrent('is 408 as well when it trickles in, each byte in time', async () => {
    const { path, body } = ROUTES[1] as (typeof ROUTES)[number];
    const sent = head(path, `Content-Length: ${body.length}`);
    const trickle = [...body.slice(0, -1)].flatMap((byte) => [60, byte]);
    const { status } = await sendRaw(service.url, sent, ...trickle);
    expect(status).toBe(408);
  });
});
