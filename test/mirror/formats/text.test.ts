import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { latest, momentOf } from '../../../src/mirror/formats/dates.ts';
import { plainTitle } from '../../../src/mirror/formats/plain-text.ts';
import { processorMs } from '../../support/processor-ms.ts';

describe('a title', () => {
  test.each([
    ['A <= 1.2 and B > 3', 'A <= 1.2 and B > 3'],
    ['A &lt;= 1.2 &#8211; XSS &#x26; more', 'A <= 1.2 – XSS & more'],
    ['<p>A</p><!-- b --><script src=x>', 'A'],
    ['A\n\t\u0000b\u202ec\u2028d', 'A b c d'],
    ['&bogus; &#0; &#x110000; &lt;b&gt;', '&bogus; &#0; &#x110000; <b>'],
    ['x'.repeat(301), `${'x'.repeat(299)}…`],
  ])('%j is shown as %j', (text, shown) => expect(plainTitle(text)).toBe(shown));

  test('is one line of at most 300 characters for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const title = plainTitle(text);
        expect(title.length).toBeLessThanOrEqual(300);
        expect(title).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
      }),
    );
  });

  test('of hostile text takes linear time', () => {
    const began = processorMs();
    for (const piece of ['<', '<a', '&', '&#', '&#1', '<!--']) plainTitle(piece.repeat(1_000_000));
    expect(processorMs() - began).toBeLessThan(500);
  });
});

describe('a date', () => {
  test.each([
    ['2026-10-04T12:00:21Z', '2026-10-04T12:00:21.000Z'],
    ['2026-10-04 12:00:21', '2026-10-04T12:00:21.000Z'],
    ['2026-10-04T12:00:21.123456789Z', '2026-10-04T12:00:21.123Z'],
    ['2026-10-04T12:00:21+0200', '2026-10-04T10:00:21.000Z'],
    ['2026-10-04T12:00-05:30', '2026-10-04T17:30:00.000Z'],
    ['2026/10/04', '2026-10-04T00:00:00.000Z'],
  ])('%s is %s', (text, moment) => expect(momentOf(text)).toBe(Date.parse(moment)));

  test.each([
    ...['2026-02-30', '2026-13-01', '2026-10/04', '26-10-04', '2026-10-04T25:00', 'soon', '', 7, null],
    ...['9999-12-31T23:59:59-00:01', '+010000-01-01T00:00:00Z', '10000-01-01', '0000-01-01T00:00:00+00:01'],
  ])('%p is missing', (value) => expect(momentOf(value)).toBeNull());

  test('of several is the latest known one', () => {
    expect([latest(null, 2, 1), latest(null), latest()]).toEqual([2, null, null]);
  });
});
