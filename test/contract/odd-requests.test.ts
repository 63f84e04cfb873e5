import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { API, call, expectHeaders } from '../support/client.ts';
import { sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, sharedService, start } from '../support/service.ts';
import { stored } from '../support/store.ts';

const END = 'Connection: close\r\n\r\n';

describe.each([...SEAM_TARGETS])('sent to %s', (target) => {
  let service: RunningService;
  let key: string;
  beforeAll(async () => {
    service = await sharedService(target);
    key = (await service.issue('--plan', 'pro', '--test')).key;
  });

  const only = async (...sent: (string | Uint8Array)[]) => {
    const answers = await sendRawToTheEnd(service.url, ...sent);
    expect(answers).toHaveLength(1);
    const [answer] = answers as [(typeof answers)[number]];
    expectHeaders(answer.headers);
    return answer;
  };

  describe('a request line', () => {
    test.each([
      [`GET ${API}/status HTTP/1.1`],
      [`GET ${API}/status? HTTP/1.1`],
      [`GET ${API}/status?a=%zz&b[]=1&__proto__=1&%00 HTTP/1.1`],
      [`GET http://elsewhere.test${API}/status HTTP/1.1`],
      [`GET ${API}/status HTTP/1.0`],
    ])('%j is answered', async (line) => {
      expect((await only(`${line}\r\nHost: x.test\r\n${END}`)).status).toBe(200);
    });

    test.each([
      [`${API}/status/`],
      [`/${API}/status`],
      [`${API}//status`],
      [`${API}/st%61tus`],
      [`/api%2fv1/status`],
      [`${API}/status%00`],
      [`${API}/status%ff`],
      [`${API}/%zz`],
      [`${API}/status;x=1`],
      [`${API}/STATUS`],
      [`/x${API}/status`],
      [`http://elsewhere.test/x${API}/status`],
      ['/docs/%2e%2e%2fstart.js'],
      ['/__proto__'],
      [`${API}/constructor`],
    ])('for %j is not found', async (path) => {
      const { status, body } = await only(`GET ${path} HTTP/1.1\r\nHost: x.test\r\n${END}`);
      expect([status, JSON.parse(body).error.code]).toEqual([404, 'NOT_FOUND']);
    });

    test.each([
      [`/x/..\\metrics`],
      [`${API}/x/..\\status`],
      [`${API}\\status`],
      [`/x\\..\\docs`],
      [`http://elsewhere.test/x/..\\metrics`],
    ])('for %j is refused, because only its normalised form is a path of the service', async (path) => {
      const { status, body } = await only(`GET ${path} HTTP/1.1\r\nHost: x.test\r\n${END}`);
      expect([status, JSON.parse(body).error.code]).toEqual([400, 'INVALID_PATH']);
    });

    test.each([
      ['/x/../metrics'],
      ['/./metrics'],
      ['/x/%2e%2e/metrics'],
      ['/x/.%2E/metrics'],
      ['/metrics#x'],
    ])('for %j is not found, also in a normalised form', async (path) => {
      const { status, body } = await only(`GET ${path} HTTP/1.1\r\nHost: x.test\r\n${END}`);
      expect([status, JSON.parse(body).error.code]).toEqual(
        target === 'binary' ? [400, 'INVALID_PATH'] : [404, 'NOT_FOUND'],
      );
    });

    test('may have a backslash in its query', async () => {
      const { status } = await only(`GET ${API}/status?a=..\\b HTTP/1.1\r\nHost: x.test\r\n${END}`);
      expect(status).toBe(200);
    });

    test.each([
      ['TRACE', '/status', 'GET, HEAD'],
      ['OPTIONS', '/telemetry', 'POST'],
      ['PROPFIND', '/status', 'GET, HEAD'],
      ['PATCH', '/license/verify', 'POST'],
      ['DELETE', '/threat-feed', 'GET, HEAD'],
    ])('%s %s is 405 and echoes no header', async (method, path, allow) => {
      const answer = await only(
        `${method} ${API}${path} HTTP/1.1\r\nHost: x.test\r\nX-Planted: sentinel\r\nContent-Length: 0\r\n${END}`,
      );
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      expect(answer.head + answer.body).not.toContain('sentinel');
    });

    test('cannot be overridden by a header', async () => {
      const overriding = `X-HTTP-Method-Override: GET\r\nX-Original-URL: ${API}/me\r\nContent-Length: 0\r\n`;
      const { status } = await only(`POST ${API}/status HTTP/1.1\r\nHost: x.test\r\n${overriding}${END}`);
      expect(status).toBe(405);
    });
  });

  describe('ambiguous or invalid HTTP', () => {
    const body = '{"domain":"shop.com","events":[{"type":"x"}]}';
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const chunked = 'Transfer-Encoding: chunked';
    const length = `Content-Length: ${body.length}`;

    test.each([
      ['a length with chunks', `${length}\r\n${chunked}`, chunk],
      ['chunks with a length', `${chunked}\r\n${length}`, chunk],
      ['two different lengths', `${length}\r\nContent-Length: 3`, body],
      ['a list of lengths', `Content-Length: ${body.length}, 3`, body],
      ['a negative length', 'Content-Length: -1', body],
      ['a length with a sign', `Content-Length: +${body.length}`, body],
      ['a hexadecimal length', 'Content-Length: 0x2d', body],
      ['a length with a fraction', `Content-Length: ${body.length}.0`, body],
      ['an empty length', 'Content-Length:', body],
      ['a length above any integer', `Content-Length: ${'9'.repeat(30)}`, body],
      ['an unknown transfer coding', 'Transfer-Encoding: xchunked', chunk],
      ['the identity transfer coding', 'Transfer-Encoding: identity', body],
      ['chunked twice', `${chunked}\r\n${chunked}`, chunk],
      ['an invalid chunk size', chunked, `zz\r\n${body}\r\n0\r\n\r\n`],
      ['a negative chunk size', chunked, `-5\r\n${body}\r\n0\r\n\r\n`],
      ['a chunk size above any integer', chunked, `${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`],
      ['a chunk longer than its size', chunked, `5\r\n${body}\r\n0\r\n\r\n`],
      ['a header without a colon', `${length}\r\nPlanted`, body],
      ['a blank before the colon', `Content-Length : ${body.length}`, body],
      ['a folded header', `${length}\r\nX-Folded: a\r\n b`, body],
      ['a NUL in a header', `${length}\r\nX-Nul: a\u0000b`, body],
    ])('%s is refused, closes the connection and smuggles nothing in', async (_, headers, sent) => {
      const before = stored(service);
      const answers = await sendRawToTheEnd(
        service.url,
        `POST ${API}/telemetry HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n\r\n${sent}`,
        `GET ${API}/status HTTP/1.1\r\nHost: x.test\r\n${END}`,
      );
      expect(answers.length).toBeLessThanOrEqual(1);
      for (const { status } of answers) expect([status >= 400, status < 500]).toEqual([true, true]);
      expect(stored(service)).toEqual(before);
    });

    test.each([
      ['two different Host headers', 'Host: a.test\r\nHost: b.test'],
      ['two equal Host headers', 'Host: a.test\r\nHost: a.test'],
      ['a list of hosts', 'Host: a.test, b.test'],
    ])('%s is refused with 400', async (_, hosts) => {
      const [answer, ...more] = await sendRawToTheEnd(
        service.url,
        `GET ${API}/me HTTP/1.1\r\n${hosts}\r\nAuthorization: Bearer ${key}\r\n${END}`,
      );
      expect([answer?.status, more]).toEqual([400, []]);
      // Refusals by Deno itself lack the service's headers.
      if (target === 'deno') return;
      expect(JSON.parse(answer?.body ?? '').error.code).toBe('INVALID_HOST');
      expectHeaders(answer?.headers ?? new Headers());
    });

    test.each([
      ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n'],
      ['words', 'hello\r\n\r\n'],
      ['a request line without a target', 'GET\r\n\r\n'],
      ['a target without a slash', `GET api/v1/status HTTP/1.1\r\nHost: x.test\r\n${END}`],
      [
        'a flood of headers',
        `GET ${API}/status HTTP/1.1\r\nHost: x.test\r\n${'X-Flood: y\r\n'.repeat(5_000)}${END}`,
      ],
      ['two megabytes of header', `GET ${API}/status HTTP/1.1\r\nX: ${'y'.repeat(2 << 20)}\r\n${END}`],
    ])('%s ends the connection without a success', async (_, sent) => {
      const answers = await sendRawToTheEnd(service.url, sent);
      expect(answers.length).toBeLessThanOrEqual(1);
      for (const { status } of answers) expect([status >= 400, status < 500]).toEqual([true, true]);
    });

    test('headers of 32 KiB are too many, in any division', async () => {
      const ask = (...lines: string[]) =>
        only(`GET ${API}/status HTTP/1.1\r\nHost: x.test\r\n${lines.join('\r\n')}\r\n${END}`);
      for (const lines of [[`X: ${'y'.repeat(32 * 1024)}`], Array(40).fill(`X: ${'y'.repeat(1_000)}`)]) {
        const { status, headers, body } = await ask(...lines);
        expect([status, JSON.parse(body).error.code]).toEqual([431, 'HEADERS_TOO_LARGE']);
        expectHeaders(headers);
      }
      expect((await ask(`X: ${'y'.repeat(31 * 1024)}`)).status).toBe(200);
    });

    test('leaves the service unchanged', async () => {
      expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
      expect(service.log()).not.toContain('unexpected error');
    });
  });

  describe('a connection', () => {
    const head = (method: string, path: string, more = '') =>
      `${method} ${API}${path} HTTP/1.1\r\nHost: x.test\r\n${more}`;

    test('with pipelined requests gets every answer, in order, each with its own id', async () => {
      const answers = await sendRawToTheEnd(
        service.url,
        `${head('GET', '/status')}\r\n${head('POST', '/telemetry', 'Content-Length: 2\r\n')}\r\n{}` +
          `${head('GET', '/nope')}\r\n${head('GET', '/status')}${END}`,
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 200]);
      for (const { headers } of answers) expectHeaders(headers);
      expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(4);
    });

    test('with a body over the limit is closed, and no part of that body is taken for a request', async () => {
      const body = `${head('GET', '/nope')}\r\n`.repeat(200);
      const [answer, ...more] = await sendRawToTheEnd(
        service.url,
        `${head('POST', '/license/verify', `Content-Length: ${body.length}\r\n`)}\r\n${body}${head('GET', '/status')}${END}`,
      );
      expect([answer?.status, answer?.headers.get('connection')?.includes('close')]).toEqual([413, true]);
      expect(more.filter(({ status }) => status !== 200)).toEqual([]);
    });

    test('may send a body where none is read, and continue', async () => {
      const answers = await sendRawToTheEnd(
        service.url,
        `${head('GET', '/status', 'Content-Length: 5\r\n')}\r\nhello${head('GET', '/status')}${END}`,
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });

    test('with an upgrade to another protocol is answered in this one', async () => {
      const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
      const handshake = `${upgrade}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
      const [answer] = await sendRawToTheEnd(
        service.url,
        head('GET', '/status', handshake) + head('GET', '/status') + END,
      );
      expect(answer?.status).toBe(200);
    });
  });

  describe('a key', () => {
    const me = (authorization: string) =>
      only(Buffer.from(`GET ${API}/me HTTP/1.1\r\nHost: x.test\r\n${authorization}\r\n${END}`, 'latin1'));

    test.each([
      ['Bearer', 'Bearer '],
      ['bearer', 'bearer '],
      ['BEARER', 'BEARER '],
      ['more blanks', 'Bearer    '],
      ['a tab', 'Bearer\t'],
    ])('after %s is accepted', async (_, scheme) => {
      expect((await me(`Authorization: ${scheme}${key}  `)).status).toBe(200);
    });

    test.each<[string, (key: string) => string]>([
      ['no scheme', (own) => own],
      ['another scheme', (own) => `Basic ${own}`],
      ['no blank', (own) => `Bearer${own}`],
      ['a second word', (own) => `Bearer ${own} x`],
      ['a list', (own) => `Bearer ${own}, Bearer ${own}`],
      ['a second header', (own) => `Bearer ${own}\r\nAuthorization: Bearer ${own}`],
      ['nothing', () => 'Bearer '],
    ])('with %s is not of the Bearer form', async (_, make) => {
      const { status, body } = await me(`Authorization: ${make(key)}`);
      expect([status, JSON.parse(body).error.code]).toEqual([401, 'UNAUTHORIZED']);
    });

    test.each<[string, (key: string) => string]>([
      ['in lower case', (own) => own.toLowerCase()],
      ['truncated', (own) => own.slice(0, -1)],
      ['with an additional character', (own) => `${own}0`],
      ['with another last character', (own) => own.slice(0, -1) + (own.endsWith('0') ? '1' : '0')],
      ['in quotes', (own) => `"${own}"`],
      ['percent-encoded', (own) => own.replace('_', '%5F')],
      ['of the other environment', (own) => own.replace('test', 'live')],
      ['in bytes that are not text', () => '\u00ff\u00fe'],
      ['of eight thousand characters', () => 'x'.repeat(8_000)],
      ['of SQL', () => "'or'1'='1"],
    ])('%s is unknown', async (_, make) => {
      const { status, body } = await me(`Authorization: Bearer ${make(key)}`);
      expect([status, JSON.parse(body).error.code]).toEqual([401, 'INVALID_KEY']);
    });
  });
});

test('two hundred endless heads retain no memory', async () => {
  // Its own process: its memory is measured.
  const service = await start('binary');
  const megabytes = () => {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  await call(service.url, `${API}/status`);
  const before = megabytes();
  const head = `GET ${API}/status HTTP/1.1\r\nHost: x.test\r\nX: ${'y'.repeat(1 << 20)}`;
  const answers = await Promise.all(Array.from({ length: 200 }, () => sendRawToTheEnd(service.url, head)));
  expect(megabytes() - before).toBeLessThan(60);
  // A request still being sent may be reset before its answer is read.
  for (const { status } of answers.flat()) expect(status).toBe(431);
  await service.end();
});
