import type { NotificationData } from '../../domain/notification/event.ts';
import type { StoredEvent } from '../../domain/notification/event-words.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** An event that waits for a target. */
export interface DueEvent {
  /** Of the outbox. */
  readonly id: number;
  /** Attempts that failed. */
  readonly attempts: number;
  readonly event: StoredEvent;
  /** As noted of its license. */
  readonly customer: string | null;
  readonly email: string | null;
}

interface DueRow extends Omit<DueEvent, 'event'>, Omit<StoredEvent, 'id' | 'data' | 'personal'> {
  readonly publicId: string;
  readonly data: string;
  readonly personal: string | null;
}

/** Reads what is due to a target, in the order in which it happened. */
export function readDueEvents(db: Database) {
  const select = (condition: string) =>
    prepare<DueRow>(
      db,
      `
      select outbox.id, attempts, public_id as publicId, type, severity, outbox.at, data, personal, customer, email
        from deliveries join outbox on outbox.id = event_id left join licenses on licenses.id = outbox.license_id
        where deliveries.target_id = :targetId and (${condition}) order by event_id limit :limit
      `,
    );
  const due = select('due_at <= :now');
  const collected = select('due_at <= :now or attempts = 0');
  const isDue = prepare<{ due: number }>(
    db,
    'select 1 as due from deliveries where target_id = :targetId and due_at <= :now limit 1',
  );

  return {
    /** What is due. */
    each: async (targetId: number, limit: number, now: number): Promise<DueEvent[]> =>
      (await due.all({ targetId, limit, now })).map(dueEvent),

    /** Events for a digest: when one is due, also those without an attempt. */
    digest: async (targetId: number, limit: number, now: number): Promise<DueEvent[]> =>
      (await isDue.get({ targetId, now })) === undefined
        ? []
        : (await collected.all({ targetId, limit, now })).map(dueEvent),
  };
}

const dueEvent = ({
  id,
  attempts,
  customer,
  email,
  publicId,
  data,
  personal,
  ...event
}: DueRow): DueEvent => ({
  id,
  attempts,
  customer,
  email,
  event: {
    ...event,
    id: publicId,
    data: JSON.parse(data) as NotificationData,
    ...(personal === null ? {} : { personal: JSON.parse(personal) as Record<string, string> }),
  },
});

export type DueReads = ReturnType<typeof readDueEvents>;
