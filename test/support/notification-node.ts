import type { Deliver } from '../../src/domain/notification/delivery.ts';
import type { Target } from '../../src/domain/notification/target.ts';
import type { Log } from '../../src/lib/log.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { createGroupWriter } from '../../src/storage/engine/writer.ts';
import { readDueEvents } from '../../src/storage/notifications/due-events.ts';
import { readIsDue } from '../../src/storage/notifications/leases.ts';
import { readTargets } from '../../src/storage/notifications/targets.ts';
import { startNotifications } from '../../src/tasks/notifications.ts';

interface NodeOptions {
  readonly log: Log;
  readonly now: () => number;
  readonly deliver: (target: Target) => Deliver;
}

/** A process that sends notifications, with a clock that the test moves. */
export function notificationNode(db: Database, { log, now, deliver }: NodeOptions) {
  let haltedMs = 0;
  const due = new Set<{ readonly delayMs: number; readonly task: () => void }>();
  const writer = createGroupWriter({ commit: prepareBatches(db), onFault: (fault) => log.error(fault) });
  const isDue = readIsDue(db);
  const counts = new Map<string, number>();
  const notifications = startNotifications({
    counts,
    clock: { now, monotonic: () => performance.now() + haltedMs },
    after(delayMs, task) {
      const timer = { delayMs, task };
      due.add(timer);
      return () => due.delete(timer);
    },
    log,
    writer,
    targets: readTargets(db),
    due: readDueEvents(db),
    isDue,
    targetKey: new Uint8Array(32),
    addresses: () => ({ console: undefined, portal: undefined }),
    deliverTo: deliver,
    isAlone: false,
    draw: () => 0.5,
  });
  const pass = (delayMs: number): void => {
    for (const timer of due) {
      if (timer.delayMs !== delayMs) continue;
      due.delete(timer);
      timer.task();
    }
  };
  const look = async (): Promise<void> => {
    pass(1000);
    while (![...due].some(({ delayMs }) => delayMs === 1000)) await new Promise(setImmediate);
  };
  let isStopped = false;
  return {
    counts,
    /** Moves its clock as after a halt of this length. */
    halt(ms: number): void {
      haltedMs += ms;
    },
    /** Renews its leases. */
    renew: () => pass(5000),
    /** Runs one check for due events. */
    look,
    /** Sends until nothing is due, or other nodes have the rest. */
    async rest(): Promise<void> {
      do {
        await look();
        await writer.settled();
        while (notifications.isBusy()) await new Promise((resolve) => setTimeout(resolve, 1));
      } while (await isDue(now()));
    },
    async stop(): Promise<void> {
      if (isStopped) return;
      isStopped = true;
      await notifications.stop();
      await writer.close();
      await disconnect(db);
    },
  };
}
