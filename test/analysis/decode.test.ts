import { describe, expect, test } from 'bun:test';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { readAddress } from '../../src/analysis/address.ts';
import {
  decodeEscapes,
  decodeHtml,
  decodeUrl,
  INFLATED_BYTES_MAX,
  inflate,
} from '../../src/analysis/decode.ts';
import { normalizeSql } from '../../src/analysis/request/sql-lexer.ts';

describe('decoding', () => {
  test.each([
    ['%27%20or', "' or"],
    ['%u0027', "'"],
    ['%c0%af', '/'],
    ['100%', '100%'],
    ['%zz', '%zz'],
  ])('reads the percent-encoding %s', (text, expected) => expect(decodeUrl(text)).toBe(expected));

  test.each([
    ['&lt;&#115&#x63;ript&gt;', '<script>'],
    ['&colon;&unknown;', ':&unknown;'],
    ['&#0;&#99999999;', '&#0;&#99999999;'],
  ])('reads the references %s', (text, expected) => expect(decodeHtml(text)).toBe(expected));

  test.each([
    ['\\x61\\u0062\\u{63}\\144', 'abcd'],
    ['\\u{110000}', '\\u{110000}'],
  ])('reads the escapes %s', (text, expected) => expect(decodeEscapes(text)).toBe(expected));

  test('decompresses compressed content, but no bomb', () => {
    expect(inflate(deflateRawSync('eval').toString('latin1'), 'raw')).toBe('eval');
    expect(inflate(gzipSync('eval').toString('latin1'), 'any')).toBe('eval');
    expect(
      inflate(deflateRawSync(Buffer.alloc(INFLATED_BYTES_MAX + 1)).toString('latin1'), 'raw'),
    ).toBeUndefined();
    expect(inflate('no such thing', 'raw')).toBeUndefined();
  });
});

describe('an address', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['2130706433', '127.0.0.1', false],
    ['0x7f.1', '127.0.0.1', false],
    ['0177.0.0.01', '127.0.0.1', false],
    ['::ffff:169.254.169.254', '169.254.169.254', false],
    ['::ffff:a9fe:a9fe', '169.254.169.254', false],
  ])('%s is %s', (host, text, isPlain) => expect(readAddress(host)).toEqual({ text, isPlain }));

  test.each(['example.org', '1.2.3.4.5', '256.1.1.1', '1..2', ''])('%s is not an address', (host) => {
    expect(readAddress(host)).toBeUndefined();
  });
});

describe('SQL in one notation', () => {
  test.each([
    ['1/**/UnIoN/*x*/SeLeCt 2', '', '0 union select 0'],
    ["admin' -- x", "'", "'s' --"],
    ["' or '1'='1", "'", "'s' or 's' = 'q'"],
    ['1 /*!50000union*/ select', '', '0 union select'],
    ['a\nb', '', 'a b'],
  ] as const)('%j', (value, enclosure, expected) =>
    expect(normalizeSql(value, enclosure).text).toBe(expected),
  );
});
