import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTimestamp } from '../../src/lib/timestamp.ts';

describe('a moment', () => {
  test.each([
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02t03:04:05.5z', Date.UTC(2026, 0, 2, 3, 4, 5, 500)],
    ['2026-01-02T03:04:05+01:00', Date.UTC(2026, 0, 2, 2, 4, 5)],
    ['2026-01-02T03:04:05.123456789-23:59', Date.UTC(2026, 0, 3, 3, 3, 5, 123)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
    // PHP: DATE_ISO8601, date('c'), DATE_RFC3339_EXTENDED.
    ['2026-01-02T03:04:05+0000', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05-0330', Date.UTC(2026, 0, 2, 6, 34, 5)],
    ['2026-01-02T03:04:05+00:00', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05.678+00:00', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    // Python: isoformat with microseconds, without seconds.
    ['2026-01-02T03:04:05.678901+00:00', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ['2026-01-02T03:04+00:00', Date.UTC(2026, 0, 2, 3, 4)],
    // Go: RFC3339Nano drops trailing zeros; PostgreSQL writes offsets of whole hours.
    ['2026-01-02T03:04:05.000000001Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02T03:04:05+01', Date.UTC(2026, 0, 2, 2, 4, 5)],
    [`2026-01-02T03:04:05.5${'0'.repeat(90)}Z`, Date.UTC(2026, 0, 2, 3, 4, 5, 500)],
    ['2026-01-02T03:04:05,25Z', Date.UTC(2026, 0, 2, 3, 4, 5, 250)],
    ['20260102T030405Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['20260102T0304+0130', Date.UTC(2026, 0, 2, 1, 34)],
    ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
  ])('%s is accepted', (text, atMs) => {
    expect(parseTimestamp(text)).toBe(atMs);
  });

  test.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00',
    '20260101',
    '20260101T00:00:00Z',
    '2026-01-01T000000Z',
    '2026-01-01TZ',
    '2026-01-01T00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+00:60',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '20260230T000000Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '1767225600',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-01T00:00:00Z\n',
    '٢٠٢٦-01-01T00:00:00Z',
    '',
  ])('%j is malformed', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('written from a Date reads unchanged', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});
