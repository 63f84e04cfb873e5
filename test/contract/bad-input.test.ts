import { beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { API, call, chunked } from '../support/client.ts';
import { sendRaw } from '../support/raw.ts';
import { type RunningService, SEAM_TARGETS, sharedService } from '../support/service.ts';
import { stored } from '../support/store.ts';

const SENTINEL = 'sentinel-7f3a9c';
const ROUTES = [
  { path: '/license/verify', capBytes: 8 * 1024, code: 'INVALID_PAYLOAD', flat: true },
  { path: '/license/trial', capBytes: 8 * 1024, code: 'INVALID_PAYLOAD', flat: true },
  { path: '/checkout', capBytes: 8 * 1024, code: 'INVALID_PAYLOAD', flat: true },
  { path: '/telemetry', capBytes: 256 * 1024, code: 'INVALID_PAYLOAD', flat: false },
  { path: '/threat-report/report', capBytes: 8 * 1024, code: 'THREATREPORT_INVALID_REPORT', flat: false },
] as const;

/** Deno's parser ends a connection with a URL over 64 KiB. */
const URL_LENGTHS = { binary: [8_300, 20_000, 120_000], deno: [8_300, 20_000, 60_000] };

// biome-ignore lint/suspicious/noExplicitAny: a test reads any shape and asserts on it
const codeOf = (json: any, flat: boolean) => (flat ? json.error : json.error.code);

describe.each([...SEAM_TARGETS])('on %s', (target) => {
  let service: RunningService;
  let key: string;
  let before: object;
  beforeAll(async () => {
    service = await sharedService(target);
    key = (await service.issue('--plan', 'pro', '--domain', 'shop.com')).key;
    before = stored(service);
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call(service.url, API + path, { key, body, headers });
  describe.each([...ROUTES])('$path', ({ path, capBytes, code, flat }) => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    test.each<[string, string | Uint8Array]>([
      ['malformed JSON', '{"domain": '],
      ['text that is not JSON', SENTINEL],
      ['a number', '7'],
      ['an array', '[{}]'],
      ['an array with an empty array', '[[]]'],
      ['null', 'null'],
      ['an object with trailing text', '{}x'],
      ['an object followed by NUL', '{}\u0000'],
      ['two byte order marks', '\ufeff\ufeff{}'],
      ['a comment', '{} // x'],
      ['single quotes', "{'domain':'shop.com'}"],
      ['a number outside JSON', '{"domain":NaN}'],
      ['UTF-16', Buffer.from('{"domain":"shop.com","events":[]}', 'utf16le')],
      ['a form', 'domain=shop.com&events='],
      ['a compressed body', gzipSync('{"domain":"shop.com","events":[]}')],
      ['an operator in place of a string', '{"api_key":{"$ne":1},"domain":{"$gt":""}}'],
      ['33 levels', nested(33)],
      ['thousands of levels', nested(4_000)],
      ['thousands of levels, unclosed', '['.repeat(8_000)],
      ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
      ['a truncated surrogate in UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
      [
        '__proto__ in place of the fields',
        '{"__proto__":{"domain":"shop.com","events":[],"api_key":1}, "domain": 5}',
      ],
      ['a wrong type', '{"domain":5,"api_key":6,"attackType":7}'],
      [
        'an object that cannot be converted to a string',
        '{"domain":{"toString":1},"api_key":[{"valueOf":1,"toString":2}],"attackType":{"toString":""}}',
      ],
      ['a repeated key with a wrong last value', '{"domain":"shop.com","domain":false,"events":[]}'],
    ])('refuses %s with its own code, echoes nothing and stores nothing', async (_, body) => {
      const answer = await post(path, body);
      expect([answer.status, codeOf(answer.json, flat)]).toEqual([400, code]);
      if (path === '/license/verify') expect(answer.json).toMatchObject({ valid: false, plan: 'free' });
      expect(answer.text).not.toContain(SENTINEL);
      expect(stored(service)).toEqual(before as never);
    });

    test.each([false, true])(
      'accepts a body exactly at the limit and refuses one byte more (chunked: %p)',
      async (isChunked) => {
        const body = (bytes: number) => `{"api_key":"${'x'.repeat(bytes - 14)}"}`;
        const make = (bytes: number) => (isChunked ? chunked(body(bytes)) : body(bytes));
        expect((await post(path, make(capBytes))).status).not.toBe(413);
        const over = await post(path, make(capBytes + 1));
        expect([over.status, codeOf(over.json, flat)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
        if (path === '/license/verify') expect(over.json.valid).toBe(false);
        expect(stored(service)).toEqual(before as never);
      },
    );

    test('refuses an endless chunked body as soon as it is over the limit', async () => {
      const head = `POST ${API}${path} HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunk = `${(capBytes + 1).toString(16)}\r\n${'x'.repeat(capBytes + 1)}\r\n`;
      const { status, head: answered } = await sendRaw(service.url, head, chunk);
      expect(status).toBe(413);
      expect(answered.toLowerCase()).toContain('x-ratelimit-remaining');
    });

    test('reads JSON with any Content-Type', async () => {
      const answer = await post(path, '{', { 'content-type': 'application/x-www-form-urlencoded' });
      expect(answer.status).toBe(400);
    });
  });

  test('refuses an empty body as malformed, except where the key comes in a header', async () => {
    for (const { path, code, flat } of ROUTES.slice(1)) {
      const answer = await call(service.url, API + path, { method: 'POST', key });
      expect([answer.status, codeOf(answer.json, flat)]).toEqual([400, code]);
    }
    expect((await call(service.url, `${API}/license/verify`, { method: 'POST' })).status).toBe(400);
    expect((await call(service.url, `${API}/license/verify`, { method: 'POST', key })).json.valid).toBe(true);
  });

  test("accepts PHP's empty array as the empty body", async () => {
    for (const { path, code, flat } of ROUTES.slice(1)) {
      const [array, object] = [await post(path, '[]'), await post(path, '{}')];
      expect([array.status, codeOf(array.json, flat)]).toEqual([400, code]);
      expect(array.json).toEqual(object.json);
    }
    expect((await post('/license/verify', '[]')).json.valid).toBe(true);
    const { status, json } = await post('/analytics/metrics', '[]');
    expect([status, Object.keys(json.data)]).toEqual([
      200,
      Object.keys((await post('/analytics/metrics', '{}')).json.data),
    ]);
  });

  test('answers an unknown word of a field with the known ones', async () => {
    const body = { input_type: SENTINEL, content: 'x' };
    const { json } = await call(service.url, `${API}/brain/analyze`, { key, body });
    expect(json.error.message).toBe('input_type: Expected one of code, request, log, url, text');
  });

  test('refuses a URL over 8 KiB with 414 and every header, flat where the route is flat', async () => {
    for (const length of URL_LENGTHS[target]) {
      const query = `?q=${'x'.repeat(length)}`;
      const own = await call(service.url, `${API}/me${query}`, { key });
      expect([own.status, own.json.error.code]).toEqual([414, 'URI_TOO_LONG']);
      const flat = await call(service.url, `${API}/license/verify${query}`, {
        body: { api_key: key, domain: 'x.test' },
      });
      expect([flat.status, flat.json.error, flat.json.valid]).toEqual([414, 'URI_TOO_LONG', false]);
    }
    const within = `?q=${'x'.repeat(8 * 1024 - `${API}/me?q=`.length)}`;
    expect((await call(service.url, `${API}/me${within}`, { key })).status).toBe(200);
    expect((await call(service.url, `${API}/me${within}x`, { key })).status).toBe(414);
    for (const path of [`${API}/sites/${'%2f'.repeat(3_000)}`, `/${'x'.repeat(9_000)}`]) {
      expect((await call(service.url, path)).status).toBe(414);
    }
  });

  test('answers unknown paths with 404, and HEAD like GET without the body', async () => {
    for (const path of ['/api', '/api/v1', `${API}/nope`, `${API}/me/`, `${API}/ME`]) {
      const answer = await call(service.url, path, { key });
      expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, 'NOT_FOUND']);
    }
    const head = await call(service.url, `${API}/me`, { method: 'HEAD', key });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('serves others during slow and aborted bodies', async () => {
    const { hostname, port } = new URL(service.url);
    const slow = Array.from({ length: 50 }, () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(`POST ${API}/license/verify HTTP/1.1\r\nHost: x.test\r\nContent-Length: 100\r\n\r\n{"a`);
      return socket;
    });
    expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
    for (const socket of slow) socket.destroy();
    expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
    expect(service.log()).not.toContain('unexpected error');
  });

  test('repeats no input in answers or the log, and has no fault', async () => {
    const headers = {
      'user-agent': SENTINEL,
      'x-forwarded-for': SENTINEL,
      'x-request-id': SENTINEL,
      'if-none-match': SENTINEL,
      referer: SENTINEL,
    };
    const bodies = [
      { [SENTINEL]: 1 },
      { attackType: SENTINEL, [SENTINEL]: { [SENTINEL]: SENTINEL } },
      { api_key: SENTINEL, domain: SENTINEL },
      { domain: SENTINEL, install_hash: SENTINEL, email: SENTINEL },
      { items: [SENTINEL], email: SENTINEL, license_key: SENTINEL, price_pro: SENTINEL },
      { site_url: 'https://shop.com', license_key: key, stats: { [SENTINEL]: {} } },
      { domain: SENTINEL, events: [{ type: SENTINEL, [SENTINEL]: SENTINEL }] },
    ];
    for (const { path } of ROUTES) {
      for (const body of bodies) {
        const answer = await call(service.url, `${API}${path}?${SENTINEL}=${SENTINEL}`, {
          key,
          headers,
          body,
        });
        expect(answer.status).toBeLessThan(500);
        expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(SENTINEL);
      }
    }
    for (const path of [`/${SENTINEL}`, `${API}/threat-feed?x=${SENTINEL}`, `${API}/me?${SENTINEL}`]) {
      const answer = await call(service.url, path, {
        headers: { ...headers, authorization: `Bearer ${SENTINEL}` },
      });
      expect(answer.text + JSON.stringify([...answer.headers])).not.toContain(SENTINEL);
    }
    const { stdout } = { stdout: service.log() };
    expect(stdout).not.toContain(SENTINEL);
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('unexpected error');
  });
});
