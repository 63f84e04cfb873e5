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
  /** What its tenant calls the site by. */
  readonly sitePublicId: string;
  readonly receivedAt: number;
}

/** RFC 3339: a calendar date, a time and an offset. */
const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const YEAR_0 = Date.parse('0000-01-01T00:00:00Z');
const YEAR_10000 = Date.UTC(10_000, 0);

export const METADATA_BYTES_MAX = 4 * 1024;

/** What an event takes besides its texts: its row, and its parts of indexes, counts and alerts. */
const EVENT_BYTES = 512;

/** What keeping an event costs of a daily budget: its texts as they are stored, in UTF-8, and a fixed part. */
export const eventBytes = ({ type, message, eventId, metadata }: SiteEvent): number =>
  EVENT_BYTES +
  type.length +
  Buffer.byteLength(message ?? '') +
  (eventId?.length ?? 0) +
  Buffer.byteLength(metadata ?? '');

/** Milliseconds since the Unix epoch, or undefined when the text is not an ISO 8601 (RFC 3339) moment. */
export function parseTimestamp(text: string): number | undefined {
  if (!TIMESTAMP.test(text)) return undefined;
  const [year, month, day] = text.split(/[-Tt]/, 3).map(Number) as [number, number, number];
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  // A leap second is real, but no Date can hold it.
  const atMs = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
  // An offset can lead out of the years that the same form can write.
  return atMs >= YEAR_0 && atMs < YEAR_10000 ? atMs : undefined;
}

/** The same, or the start of a day (UTC) that stands alone, as people write it. */
export const parseDayOrTimestamp = (text: string): number | undefined =>
  parseTimestamp(text) ?? parseTimestamp(`${text}T00:00:00Z`);

/**
 * Turns sent events into kept ones.
 *
 * @returns the events, or which is the first bad one and what is wrong with it
 */
export function keepEvents(
  sent: readonly SentEvent[],
  receivedAt: number,
): { ok: true; events: SiteEvent[] } | { ok: false; index: number; problem: string } {
  const events: SiteEvent[] = [];
  for (const [index, event] of sent.entries()) {
    const occurredAt = event.occurred_at === undefined ? receivedAt : parseTimestamp(event.occurred_at);
    if (occurredAt === undefined) {
      return { ok: false, index, problem: 'occurred_at is not an ISO 8601 timestamp' };
    }
    const metadata = event.metadata === undefined ? null : JSON.stringify(event.metadata);
    if (metadata !== null && Buffer.byteLength(metadata) > METADATA_BYTES_MAX) {
      return { ok: false, index, problem: `metadata is over ${METADATA_BYTES_MAX} bytes` };
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
