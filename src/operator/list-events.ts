import { licenseName } from '../domain/license/license-name.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { Database } from '../storage/engine/database.ts';
import { type AllEventsFilter, type OperatorsEvent, readAllEvents } from '../storage/sites/all-events.ts';
import { type Act, type ActOutcome, audited } from './act.ts';

const EVENTS_PER_STEP = 200;

/** All events that a filter lets through, newest arrivals first, some at a time; each step has a turn of the event loop of its own. */
export async function* eachEvent(
  db: Database,
  filter: AllEventsFilter,
): AsyncGenerator<readonly OperatorsEvent[]> {
  const all = readAllEvents(db);
  let beforeId: number | undefined;
  do {
    const { events, nextBeforeId } = await all.page(filter, { beforeId, limit: EVENTS_PER_STEP });
    yield events;
    beforeId = nextBeforeId;
    await ownTurn();
  } while (beforeId !== undefined);
}

/** Notes that events are written down somewhere else, before they are. */
export function exportEvents(filter: AllEventsFilter, act: Act): ActOutcome {
  const { licenseId, since, ...rest } = filter;
  if (licenseId === undefined && since === undefined)
    return { refused: 'name a license or a start time; all events are too many for a file' };
  const license = licenseId === undefined ? null : licenseName(licenseId);
  const facts = { ...rest, ...(since === undefined ? {} : { occurredFrom: since }) };
  return audited(act, 'events.export', license, [], { after: facts });
}
