import { describe, expect, test } from 'bun:test';
import { acceptsGzip } from '../../src/http/accept-encoding.ts';
import { processorMs } from '../support/processor-ms.ts';

const accepts = (codings?: string) =>
  acceptsGzip(
    new Request('http://x.test/', { headers: codings === undefined ? {} : { 'accept-encoding': codings } }),
  );

describe('gzip', () => {
  test.each([
    'gzip',
    'GZip',
    'x-gzip',
    'deflate, gzip',
    'deflate,gzip;q=0.5,br',
    'gzip;q=1',
    'gzip;q=1.000',
    'gzip ; q=0.001',
    'gzip;Q=.5',
    '*',
    '*;q=0.1',
    'identity;q=0, *',
    'br, *;q=0, gzip',
  ])('is sent for %p', (codings) => {
    expect(accepts(codings)).toBe(true);
  });

  test.each([
    undefined,
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000',
    '*;q=0',
    'gzip;q=0, *',
    '*, gzip;q=0',
    'gzipped',
    'not-gzip',
    'gzip;q=',
    'gzip;q=1.5',
    'gzip;q=-1',
    'gzip;q=0.1234',
    'gzip;level=9',
    'gzip q=1',
  ])('is not sent for %p', (codings) => {
    expect(accepts(codings)).toBe(false);
  });

  test('is decided quickly for any header that the runtime accepts', () => {
    const long = 900_000;
    const startedAt = processorMs();
    for (const piece of ['1', '0', ' ', ',', ';', ', ', 'gzip,', ';q=.']) {
      const flood = piece.repeat(long / piece.length);
      for (const codings of [flood, `gzip;q=.${flood}x`, `gzip${flood}x`]) accepts(codings);
    }
    expect(processorMs() - startedAt).toBeLessThan(2_000);
  });
});
