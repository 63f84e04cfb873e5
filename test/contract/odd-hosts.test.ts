import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tlsSettings } from '../support/certificate.ts';
import { API, expectHeaders } from '../support/client.ts';
import { sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, sharedService, start } from '../support/service.ts';

const HOSTS = [
  '',
  'x',
  'ab',
  'abc',
  'api',
  'a/b',
  '/',
  '//',
  '?',
  '#',
  '@',
  ':',
  ':80',
  'x:',
  'x\\',
  'u@h',
  '[::1]',
];
/** Request targets that contain the path of the status, and have another path. */
const SHIFTED = [
  `/public${API}/status`,
  `/p${API}/status`,
  `http://a/public${API}/status`,
  `https://a/public${API}/status`,
  'http://api/v1/status',
  'https://api/v1/status',
];

describe.each(
  [...SEAM_TARGETS].flatMap((target) => [
    { target, scheme: 'http' },
    { target, scheme: 'https' },
  ]),
)('$target over $scheme', ({ target, scheme }) => {
  const isOverTls = scheme === 'https';
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: TLS is a setting.
    service = await (isOverTls ? start(target, tlsSettings()) : sharedService(target));
    expect(service.url).toStartWith(`${scheme}:`);
  });
  afterAll(async () => {
    if (isOverTls) await service.end();
  });

  const ask = async (path: string, host: string) => {
    const sent = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const [answer] = await sendRawToTheEnd(service.url, sent);
    if (answer === undefined) throw new Error(`no answer to ${path} at ${host}`);
    return answer;
  };

  test('a query is read with a host that no URL could have', async () => {
    const { status, headers, body } = await ask('/checkout/done?session_id=x', 'xn--a9a9a9a9a9a9a9');
    expect([status, body.includes('payment')]).toEqual([200, true]);
    expectHeaders(headers);
  });

  test.each(HOSTS)('no path is taken for another with the host %j', async (host) => {
    for (const path of SHIFTED) {
      const { status, headers, body } = await ask(path, host);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(body).not.toContain('uptime_seconds');
      expectHeaders(headers);
    }
  });

  const askWithoutHost = async (line: string, ...more: string[]) => {
    const [answer] = await sendRawToTheEnd(service.url, [line, ...more, '', ''].join('\r\n'));
    return answer;
  };

  test.each(['/healthz', '/readyz', `${API}/status`, '/healthz?from=haproxy', `${API}/status?`])(
    'HTTP/1.0 may check %s without a host',
    async (path) => {
      const line = `GET ${path} HTTP/1.0`;
      for (const more of [[], ['User-Agent: check_http/v2.4', 'Connection: close']]) {
        const answer = await askWithoutHost(line, ...more);
        expect([path, more, answer?.status]).toEqual([path, more, 200]);
        if (answer) expectHeaders(answer.headers);
      }
      const posted = await askWithoutHost(`POST ${path} HTTP/1.0`, 'Content-Length: 0');
      expect(posted?.status).toBe(405);
    },
  );

  // Deno uses the address of the connection where a request has no host.
  test.skipIf(target === 'deno')(
    'nothing else is served without a host, and no check with an odd one',
    async () => {
      for (const path of [
        '/',
        `${API}/openapi`,
        '//healthz',
        '/healthz/',
        '/x/../healthz',
        '/metrics',
        '/docs',
      ]) {
        const answer = await askWithoutHost(`GET ${path} HTTP/1.0`);
        expect([path, answer?.status]).toEqual([path, 400]);
      }
      for (const host of ['Host:', 'Host: a b', 'Host: a\r\nHost: b', 'Host: a/b']) {
        const answer = await askWithoutHost('GET /healthz HTTP/1.0', host);
        expect([host, answer?.status]).toEqual([host, 400]);
      }
      expect((await askWithoutHost('GET /healthz HTTP/1.1'))?.status).toBe(400);
    },
  );

  test('a host with a name, an address or a port is served', async () => {
    for (const host of ['abcd', 'api.example.com', '127.0.0.1:8080', '[::1]:8080', 'localhost']) {
      expect([host, (await ask(`${API}/status`, host)).status]).toEqual([host, 200]);
    }
  });
});
