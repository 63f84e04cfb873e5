import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { tlsSettings } from '../support/certificate.ts';
import { API, expectHeaders } from '../support/client.ts';
import { sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, start } from '../support/service.ts';

const ANSWERS: readonly [status: number, line: string, headers?: string][] = [
  [200, `GET ${API}/status`],
  [200, 'GET /healthz'],
  [200, 'GET /metrics'],
  [200, `GET ${API}/threat-feed`],
  [200, `GET ${API}/openapi`],
  [304, `GET ${API}/openapi`, 'If-None-Match: *\r\n'],
  [200, 'GET /docs/viewer.css', 'Accept-Encoding: gzip\r\n'],
  [200, 'GET /'],
  [303, 'GET /portal/sites'],
  [204, 'GET /favicon.ico'],
  [200, 'GET /checkout/mock'],
  [400, 'GET /checkout/done'],
  [401, `GET ${API}/me`],
  [404, 'GET /nope'],
  [405, `DELETE ${API}/status`],
  [414, `GET /${'x'.repeat(9_000)}`],
];

describe.each(
  [...SEAM_TARGETS].flatMap((target) => [
    { target, scheme: 'http' },
    { target, scheme: 'https' },
  ]),
)('$target over $scheme', ({ target, scheme }) => {
  let service: RunningService;
  beforeAll(async () => {
    // Its own process: TLS and HSTS are settings.
    service = await start(target, {
      SERVICE_BASE_URL: 'https://licenses.example',
      SERVICE_HSTS_SECONDS: '600',
      ...(scheme === 'https' ? tlsSettings() : {}),
    });
  });
  afterAll(() => service.end());

  test.each(ANSWERS)(
    '%i to %s is cached only with its ETag, has its type, and has HSTS over TLS only',
    async (status, line, more = '') => {
      const sent = `${line} HTTP/1.1\r\nHost: localhost\r\n${more}Connection: close\r\n\r\n`;
      const [answer] = await sendRawToTheEnd(service.url, sent);
      expect(answer?.status).toBe(status);
      expectHeaders(answer?.headers ?? new Headers());
      const hsts = answer?.headers.get('strict-transport-security');
      expect(hsts).toBe(scheme === 'https' ? 'max-age=600' : null);
    },
  );
});
