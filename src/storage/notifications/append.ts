import type { NotificationData, NotificationType } from '../../domain/notification/event.ts';
import { firstDueAt, type SelectedBy } from '../../domain/notification/target.ts';
import { Fault } from '../../lib/fault.ts';
import { newOpaqueId } from '../../lib/opaque-id.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepare } from '../engine/statement.ts';
import { prepareQueue } from './queue.ts';
import { type MatchedTarget, prepareTargetsFor, selectedBy } from './wanted-by.ts';

/** A current event. */
export interface NewEvent extends Omit<SelectedBy, 'customer'> {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly data: NotificationData;
  readonly personal?: Readonly<Record<string, string>> | undefined;
}

/** Appends events to the outbox, in the transaction of what causes them. */
export const prepareAppend = perDatabase((db: Database) => {
  const targetsFor = prepareTargetsFor(db);
  const isSelected = selectedBy(db);
  const { enqueue } = prepareQueue(db);
  const insert = prepare<{ id: number }>(
    db,
    `
    insert into outbox (public_id, type, severity, at, license_id, target_id, data, personal)
      values (:publicId, :type, :severity, :at, :licenseId, :targetId, :data, :personal) returning id
    `,
  );

  /** @param targetId the only target of the event; null = every target that selects it */
  const appendFor = async (
    targets: readonly MatchedTarget[],
    { data, personal, ...event }: NewEvent,
    targetId: number | null = null,
  ): Promise<void> => {
    if (targets.length === 0) return;
    const row = await insert.get({
      ...event,
      targetId,
      publicId: `evt_${newOpaqueId()}`,
      data: JSON.stringify(data),
      personal: personal === undefined ? null : JSON.stringify(personal),
    });
    if (row === undefined) throw new Fault('an event was stored without an id');
    for (const target of targets)
      await enqueue(target.id, row.id, firstDueAt(target, event.severity, event.at));
  };

  return {
    appendFor,

    /** The targets that may want events about a license, or about none. */
    targetsFor,

    /** Whether any target wants an event of one of these types about a license, or about none. */
    async isAnyWanted(types: readonly NotificationType[], licenseId: number | null): Promise<boolean> {
      const targets = await targetsFor(licenseId);
      return targets.some(({ events }) => types.some((type) => events.includes(type)));
    },

    /** Stores events that at least one target wants, and has them wait for each that does. */
    async append(events: readonly NewEvent[]): Promise<void> {
      const known = new Map<number | null, readonly MatchedTarget[]>();
      for (const event of events) {
        const targets = known.get(event.licenseId) ?? (await targetsFor(event.licenseId));
        known.set(event.licenseId, targets);
        const wanting: MatchedTarget[] = [];
        for (const target of targets) if (await isSelected(target, event, event.at)) wanting.push(target);
        await appendFor(wanting, event);
      }
    },
  };
});
