import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { keepEvents, METADATA_BYTES_MAX } from '../../../src/domain/event/events.ts';
import { badEvent, sentEvent } from '../../support/events.ts';

const NOW = Date.UTC(2026, 10, 21);

describe('stored events', () => {
  test('are all events of the request, in order, none from the future', () => {
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

  test('are none when one is invalid, and the first invalid one is named by its position', () => {
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
