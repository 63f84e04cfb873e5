import { parseTimestamp } from '../../lib/timestamp.ts';
import { type Severity, severityByType } from '../severity.ts';

/** An event as a client sends it, already of the right shape. */
export interface SentEvent {
  readonly type: string;
  readonly severity?: Severity;
  readonly message?: string;
  readonly occurred_at?: string;
  readonly event_id?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** An event as it is kept. */
export interface SiteEvent {
  readonly type: string;
  readonly severity: Severity;
  readonly message: string | null;
  /** Milliseconds since the Unix epoch; never after the moment it was received. */
  readonly occurredAt: number;
  /** Makes a resend idempotent within its site. */
  readonly eventId: string | null;
  /** JSON text. */
  readonly metadata: string | null;
}

/** A kept event as it is read again. */
export interface KeptEvent extends SiteEvent {
  readonly id: number;
  /** The site's public id. */
  readonly sitePublicId: string;
  readonly receivedAt: number;
}

export const METADATA_BYTES_MAX = 4 * 1024;

/** The size of an event in addition to its texts: its row, index entries, counts and alerts. */
const EVENT_BYTES = 512;

/** The cost of an event for a daily budget: its stored texts in UTF-8, and a fixed part. */
export const eventBytes = ({ type, message, eventId, metadata }: SiteEvent): number =>
  EVENT_BYTES +
  type.length +
  Buffer.byteLength(message ?? '') +
  (eventId?.length ?? 0) +
  Buffer.byteLength(metadata ?? '');

/**
 * Converts sent events into stored ones.
 *
 * @returns the events, or the first invalid one and its problem
 */
export function keepEvents(
  sent: readonly SentEvent[],
  receivedAt: number,
): { ok: true; events: SiteEvent[] } | { ok: false; index: number; problem: string } {
  const events: SiteEvent[] = [];
  for (const [index, event] of sent.entries()) {
    const occurredAt = event.occurred_at === undefined ? receivedAt : parseTimestamp(event.occurred_at);
    if (occurredAt === undefined) {
      return {
        ok: false,
        index,
        problem: 'occurred_at is not an ISO 8601 date-time with a zone, such as 2026-01-31T12:00:00Z',
      };
    }
    const metadata = event.metadata === undefined ? null : JSON.stringify(event.metadata);
    if (metadata !== null && Buffer.byteLength(metadata) > METADATA_BYTES_MAX) {
      return { ok: false, index, problem: `metadata is larger than ${METADATA_BYTES_MAX} bytes` };
    }
    events.push({
      type: event.type,
      severity: event.severity ?? severityByType(event.type),
      message: event.message ?? null,
      occurredAt: Math.min(occurredAt, receivedAt),
      eventId: event.event_id ?? null,
      metadata,
    });
  }
  return { ok: true, events };
}
