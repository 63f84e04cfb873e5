import { isRefusal } from '../domain/refusal.ts';
import type { Severity } from '../domain/severity.ts';
import { type After, type Clock, HOUR_MS, SECOND_MS } from '../lib/clock.ts';
import { flushEvery } from '../lib/every.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { Writer } from '../storage/engine/writer.ts';
import { type NewEventCount, OTHER_TYPE } from '../storage/sites/event-counts.ts';

/** Longest delay before counted events are stored. A crash loses counts that are not stored yet. */
const EVERY_MS = 5 * SECOND_MS;
/** Types per hour that are counted separately, so that sites cannot add unlimited rows. */
const TYPES_MAX = 40;

/** Counts stored events of all tenants. */
export type CountEvents = (events: readonly { readonly type: string; readonly severity: Severity }[]) => void;

interface EventCountParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly after: After;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
}

/** Counts events per hour in memory and stores the counts every five seconds. */
export function startEventCounts({ clock, after, log, writer }: EventCountParts) {
  let counts = new Map<string, NewEventCount>();
  let types = new Set<string>();
  let hour = 0;

  const hourNow = () => clock.now() - (clock.now() % HOUR_MS);
  const typeOf = (type: string): string => {
    if (types.has(type)) return type;
    if (types.size >= TYPES_MAX) return OTHER_TYPE;
    types.add(type);
    return type;
  };
  const add = ({ severity, type, count }: NewEventCount) => {
    const key = `${severity} ${type}`;
    counts.set(key, { severity, type, count: count + (counts.get(key)?.count ?? 0) });
  };

  const write = async () => {
    if (counts.size === 0) return;
    const taken = [...counts.values()];
    counts = new Map();
    const refusal = await writer.write('addEventCounts', { hour: hourNow(), counts: taken });
    if (isRefusal(refusal)) for (const each of taken) add(each);
  };

  const stop = flushEvery(EVERY_MS, after, write, (error) =>
    log.error('events are not counted', { fault: faultOf(error) }),
  );

  const countEvents: CountEvents = (events) => {
    if (hourNow() !== hour) {
      hour = hourNow();
      types = new Set([...counts.values()].map(({ type }) => type));
    }
    for (const { type, severity } of events) add({ severity, type: typeOf(type), count: 1 });
  };

  return {
    countEvents,
    /** Stores remaining counts. */
    stop,
  };
}
