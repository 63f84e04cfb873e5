import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { keepEvents, METADATA_BYTES_MAX, parseTimestamp } from '../../../src/domain/event/events.ts';
import { badEvent, sentEvent } from '../../support/events.ts';

const NOW = Date.UTC(2026, 10, 21);

describe('a moment', () => {
  test.each([
    ['2026-01-02T03:04:05Z', Date.UTC(2026, 0, 2, 3, 4, 5)],
    ['2026-01-02t03:04:05.5z', Date.UTC(2026, 0, 2, 3, 4, 5, 500)],
    ['2026-01-02T03:04:05+01:00', Date.UTC(2026, 0, 2, 2, 4, 5)],
    ['2026-01-02T03:04:05.123456789-23:59', Date.UTC(2026, 0, 3, 3, 3, 5, 123)],
    ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59)],
  ])('%s is understood', (text, atMs) => {
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
    '2026-01-01T00:00:00+24:00',
    '1767225600',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-01T00:00:00Z\n',
    '٢٠٢٦-01-01T00:00:00Z',
    '',
  ])('%j is none', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test('that was written from a Date comes back as it was', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(parseTimestamp(date.toISOString())).toBe(date.getTime());
      }),
    );
  });
});

describe('events as they are kept', () => {
  test('are all that were sent, in their order, none from the future', () => {
    fc.assert(
      fc.property(fc.array(sentEvent, { maxLength: 100 }), (sent) => {
        const kept = keepEvents(sent, NOW);
        if (!kept.ok) throw new Error(kept.problem);
        expect(kept.events.map(({ type }) => type)).toEqual(sent.map(({ type }) => type));
        for (const [index, event] of kept.events.entries()) {
          const { severity, message, event_id, metadata } = sent[index] ?? {};
          expect(event.occurredAt).toBeLessThanOrEqual(NOW);
          expect([event.message, event.eventId]).toEqual([message ?? null, event_id ?? null]);
          if (severity) expect(event.severity).toBe(severity);
          expect(event.metadata === null ? undefined : JSON.parse(event.metadata)).toEqual(metadata);
        }
      }),
    );
  });

  test('are none when one is bad, and the first bad one is named by its position', () => {
    const good = fc.array(sentEvent, { maxLength: 40 });
    fc.assert(
      fc.property(good, badEvent, good, badEvent, (before, bad, after, worse) => {
        const kept = keepEvents([...before, bad, ...after, worse], NOW);
        expect(kept).toMatchObject({ ok: false, index: before.length });
      }),
    );
  });

  test('may have metadata of exactly 4 KiB in bytes, and not one more', () => {
    const ofBytes = (bytes: number) => ({
      type: 'x',
      metadata: { a: 'x'.repeat(bytes - '{"a":""}'.length) },
    });
    expect(keepEvents([ofBytes(METADATA_BYTES_MAX)], NOW).ok).toBe(true);
    expect(keepEvents([ofBytes(METADATA_BYTES_MAX + 1)], NOW).ok).toBe(false);
  });
});
