import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { call, expectHeaders } from '../support/client.ts';
import { contract, parameterNames, paths } from '../support/conformance.ts';
import { importDemo } from '../support/mirror.ts';
import { sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, start, UNLIMITED } from '../support/service.ts';

/** Characters that may appear in a request line or a header without ending it. */
const visible = (maxLength: number) =>
  fc.string({ unit: 'binary-ascii', maxLength }).map((text) => text.replace(/[^\x21-\x7e]/g, ''));

const words = [
  '..',
  '.',
  '',
  '%2e%2e',
  '%00',
  '*',
  ':id',
  '__proto__',
  'docs',
  ...paths.flatMap((path) => path.split('/')),
];
const path = fc
  .array(fc.oneof(fc.constantFrom(...words), visible(8)), { maxLength: 6 })
  .map((parts) => `/${parts.join('/')}`);
const values = [
  '',
  '0',
  '-1',
  '1e3',
  '9'.repeat(30),
  '2026-02-30',
  '2026-01-01T00:00:00Z',
  'a%00',
  '%ff',
  '%zz',
  '[]',
];
const parameter = fc
  .tuple(fc.constantFrom('x', ...parameterNames), fc.oneof(fc.constantFrom(...values), visible(20)))
  .map(([name, value]) => `${name}=${value}`);
const query = fc.oneof(
  visible(40),
  fc.array(parameter, { maxLength: 3 }).map((parts) => parts.join('&')),
);
const target = fc
  .tuple(fc.oneof(path, fc.constantFrom('/docs', '/readyz', ...paths)), fc.option(query))
  .map(([path, query]) => (query === null ? path : `${path}?${query}`));
// Not HEAD: its answer has the length of a body that is not sent.
const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND');
const names = [
  'Authorization',
  'X-Forwarded-For',
  'If-None-Match',
  'Accept-Encoding',
  'Content-Type',
  'Content-Encoding',
  'Cookie',
  'Range',
  'Expect',
  'Forwarded',
  'TE',
];
const odd = [
  'Bearer ',
  'Bearer a b',
  'gzip;q=',
  '*',
  '::1%eth0',
  '[::1',
  '999.1.1.1:x',
  ',,,',
  'bytes=0-1',
  '"',
  'W/',
];
const header = fc
  .tuple(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...odd), visible(60)))
  .map(([name, value]) => `${name}: ${value}\r\n`);

describe.each([...SEAM_TARGETS])('any request to %s', (runtime) => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    // Its own process: it trusts a proxy, and its whole log is read.
    service = await start(runtime, {
      ...UNLIMITED,
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    });
    await importDemo(service);
    key = (await service.issue('--plan', 'enterprise', '--test')).key;
  });
  afterAll(() => service.end());

  const request = fc.record({
    method,
    target,
    headers: fc.array(header, { maxLength: 4 }),
    hasKey: fc.boolean(),
  });

  test('a parameter that is no text is refused by its name, and the value is not repeated', async () => {
    let sent = 0;
    for (const [path, { get }] of Object.entries(contract.paths)) {
      for (const { name, in: place } of get?.parameters ?? []) {
        if (place !== 'query') continue;
        for (const value of ['%00', 'zq7%ff', '%ed%a0%80']) {
          const address = path.replace(/\{\w+\}/g, 'x');
          const { status, json, text } = await call(service.url, `${address}?${name}=${value}`, { key });
          if (status === 404) continue;
          expect([path, status, json.error.code]).toEqual([path, 400, 'INVALID_QUERY']);
          expect(json.error.message).toBe(`${name}: is not valid UTF-8, or contains NUL`);
          expect(text).not.toContain('zq7');
          sent += 1;
        }
      }
    }
    expect(sent).toBeGreaterThan(50);
  });

  test('every path, query and header gets one answer with every header, and none is a fault', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target, headers, hasKey }) => {
        const sent = [
          'Host: x.test\r\n',
          ...(hasKey ? [`Authorization: Bearer ${key}\r\n`] : []),
          ...headers,
        ];
        const answers = await sendRawToTheEnd(
          service.url,
          `${method} ${target} HTTP/1.1\r\n${sent.join('')}Content-Length: 0\r\nConnection: close\r\n\r\n`,
        );
        expect(answers.map(({ status }) => status >= 200 && status < 500)).toEqual([true]);
        for (const { headers } of answers) expectHeaders(headers);
      }),
      { numRuns: 400 },
    );
    const lines = service.log().split('\n');
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  }, 20_000);
});
