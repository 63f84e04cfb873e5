/** Sends what waits in a database to a receiver until it is killed: `bun notification-process.ts DATABASE URL`. */

import { systemAfter } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { prepareBatches } from '../../src/storage/changes.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { createGroupWriter } from '../../src/storage/engine/writer.ts';
import { readDueEvents } from '../../src/storage/notifications/due-events.ts';
import { readIsDue } from '../../src/storage/notifications/leases.ts';
import { readTargets } from '../../src/storage/notifications/targets.ts';
import { startNotifications } from '../../src/tasks/notifications.ts';

const [path = '', url = ''] = process.argv.slice(2);
const db = connect(path);
const log = createLog({ level: 'warn', json: true });

startNotifications({
  counts: new Map(),
  clock: { now: Date.now, monotonic: () => performance.now() },
  after: (delayMs, task) => systemAfter(Math.min(delayMs, 20), task),
  log,
  writer: createGroupWriter({ commit: prepareBatches(db), onFault: (fault) => log.error(fault) }),
  targets: readTargets(db),
  due: readDueEvents(db),
  isDue: readIsDue(db),
  targetKey: new Uint8Array(32),
  addresses: () => ({ console: undefined, portal: undefined }),
  deliverTo: () => async (message) => {
    const answer = await fetch(url, { method: 'POST', body: String(message.events[0].data.number) });
    return { outcome: 'delivered', status: answer.status, latencyMs: 0 };
  },
  isAlone: true,
});
