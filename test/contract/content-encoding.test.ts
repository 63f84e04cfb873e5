import { beforeAll, describe, expect, test } from 'bun:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { adminOf, tokenOf } from '../support/admin.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, SEAM_TARGETS, sharedService } from '../support/service.ts';
import { stored } from '../support/store.ts';

const KIB = 1024;

describe.each([...SEAM_TARGETS])('a body with a Content-Encoding, on %s', (target) => {
  let service: RunningService;
  let key: string;
  let token: string;
  beforeAll(async () => {
    service = await sharedService(target);
    key = (await service.issue('--plan', 'enterprise', '--domain', 'shop.com')).key;
    token = await tokenOf(service, ['licenses:read'], 'content-encoding');
  });

  const send = (path: string, body: Uint8Array, encoding: string) =>
    call(service.url, API + path, { key, body, headers: { 'content-encoding': encoding } });
  const gzipped = (body: unknown) => gzipSync(JSON.stringify(body));
  const events = (count: number) => ({
    domain: 'shop.com',
    events: Array.from({ length: count }, (_, at) => ({ type: 'x', message: `${at} ${Math.random()}` })),
  });

  test.each(['gzip', 'GZIP', 'x-gzip'])('%s is inflated on every route that reads one', async (encoding) => {
    const beat = { site_url: 'shop.com', license_key: key };
    for (const [path, body] of [
      ['/telemetry', beat],
      ['/telemetry', events(90)],
      ['/license/verify', { domain: 'shop.com' }],
      ['/checkout', { items: ['pro'] }],
      ['/brain/analyze', { input_type: 'text', content: 'hello' }],
      ['/analytics/metrics', { sections: ['sites'] }],
    ] as const) {
      const { status } = await send(path, gzipped(body), encoding);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  test('also in the admin API', async () => {
    const admin = adminOf(service, token);
    const body = gzipped({ text: key });
    expect((await admin('/licenses/find', { headers: { 'content-encoding': 'gzip' }, body })).status).toBe(
      200,
    );
    const refused = await admin('/licenses/find', { headers: { 'content-encoding': 'br' }, body });
    expect([refused.status, refused.json.error.code]).toEqual([415, 'UNSUPPORTED_CONTENT_ENCODING']);
  });

  test('identity changes nothing, and an empty body stays empty', async () => {
    const body = Buffer.from(JSON.stringify(events(1)));
    expect((await send('/telemetry', body, 'identity')).status).toBe(200);
    expect((await send('/license/verify', new Uint8Array(0), 'gzip')).status).toBe(200);
  });

  test.each([
    ['br', brotliCompressSync('{}')],
    ['deflate', deflateSync('{}')],
    ['zstd', Buffer.from('{}')],
    ['gzip, gzip', gzipSync(gzipSync('{}'))],
    ['identity, gzip', gzipSync('{}')],
    ['planted', Buffer.from('{}')],
  ])('%s is 415 and is not repeated in the message', async (encoding, body) => {
    const before = stored(service);
    for (const path of ['/telemetry', '/license/verify', '/vulnerabilities/match']) {
      const { status, json, text } = await send(path, body, encoding);
      expect([path, status, json.error?.code ?? json.error]).toEqual([
        path,
        415,
        'UNSUPPORTED_CONTENT_ENCODING',
      ]);
      expect(text).not.toContain('planted');
      expect(text).toContain('gzip');
    }
    expect(stored(service)).toEqual(before);
  });

  test('the limit counts inflated bytes', async () => {
    const padded = (bytes: number) => {
      const noise = Array.from({ length: bytes / 10 }, () => Math.random().toString(36).slice(2, 7)).join('');
      const body = JSON.stringify({ domain: 'shop.com', noise });
      return gzipSync(body + ' '.repeat(bytes - body.length));
    };
    expect((await send('/license/verify', padded(8 * KIB), 'gzip')).status).toBe(200);
    const over = await send('/license/verify', padded(8 * KIB + 1), 'gzip');
    expect([over.status, over.json.error]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('a body that grows more than a hundredfold is refused before it is inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * KIB, ' '));
    expect(bomb.length).toBeLessThan(2 * KIB);
    const { status, json } = await send('/telemetry', bomb, 'gzip');
    expect([status, json.error.code, json.error.message]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      expect.stringContaining('100 times'),
    ]);
    const huge = gzipSync(Buffer.alloc(64 * KIB * KIB, ' '));
    expect((await send('/telemetry', huge, 'gzip')).status).toBe(413);
  });

  test.each([
    ['plain JSON', () => Buffer.from('{"domain":"shop.com"}')],
    ['a truncated stream', () => gzipped(events(50)).subarray(0, 300)],
    ['a damaged stream', () => Buffer.from(gzipped(events(5))).fill(7, 20, 60)],
  ])('%s as gzip is malformed, and nothing is stored', async (_, make) => {
    const before = stored(service);
    const { status, json } = await send('/telemetry', make(), 'gzip');
    expect([status, json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(json.error.message).toContain('gzip');
    expect(stored(service)).toEqual(before);
  });
});
