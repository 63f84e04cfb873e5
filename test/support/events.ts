import fc from 'fast-check';
import { METADATA_BYTES_MAX, type SentEvent } from '../../src/domain/event/events.ts';
import { SEVERITIES } from '../../src/domain/severity.ts';
import { isEmpty } from '../../src/http/client-values.ts';

/** Text that UTF-8 encodes and decodes unchanged. */
const text = (maxLength: number) => fc.string({ unit: 'grapheme', maxLength: Math.floor(maxLength / 8) });

const moment = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Any event that a client may send. */
export const sentEvent: fc.Arbitrary<SentEvent> = fc.record(
  {
    type: fc.stringMatching(/^[a-z][a-z0-9_]{0,63}$/),
    severity: fc.constantFrom(...SEVERITIES),
    message: text(1_000).filter((message) => !isEmpty(message)),
    occurred_at: moment,
    event_id: fc.stringMatching(/^[A-Za-z0-9._:-]{1,40}$/),
    metadata: fc
      .dictionary(text(40), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
      .map(asSent)
      .filter(isShort),
  },
  { requiredKeys: ['type'] },
);

/** An event with a valid type and an invalid moment or metadata. */
export const badEvent: fc.Arbitrary<SentEvent> = fc.oneof(
  fc
    .constantFrom('yesterday', '2026-02-30T00:00:00Z', '1767225600')
    .map((occurred_at) => ({ type: 'x', occurred_at })),
  fc.constant({ type: 'x', metadata: { a: 'ä'.repeat(METADATA_BYTES_MAX / 2) } }),
);

/** As sent in JSON, which has no negative zero. */
function asSent(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

function isShort(value: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES_MAX;
}
