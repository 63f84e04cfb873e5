import { eventBytes, type SiteEvent } from '../../domain/event/events.ts';
import { type DailyBudget, leastBudget } from '../../domain/license/daily-budget.ts';
import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import { alertsOf } from '../../domain/site/alerts.ts';
import { utcDay } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { dailyVolumeJobs, type VolumeUse } from '../licenses/daily-volumes.ts';
import { prepareAddEvents } from './add-events.ts';
import { keepAlerts } from './alerts.ts';
import { type EventSpan, keepArrivals } from './arrivals.ts';
import { keepRollups } from './rollups.ts';

/** The events that a known site sent in one request. */
export interface Reported {
  readonly siteId: number;
  readonly batch: {
    readonly licenseId: number;
    readonly events: readonly SiteEvent[];
    readonly budget: DailyBudget;
    readonly receivedAt: number;
  };
}

export interface TelemetryReceipt {
  readonly accepted: number;
  /** Events that had arrived before under the same event_id. */
  readonly duplicate: number;
}

/** The new events of a request, at least one. */
interface Added extends Reported, EventSpan {
  readonly events: readonly SiteEvent[];
}

/** Adds and counts the events of several requests, with shared statements. */
export function keepReported(db: Database) {
  const { spendDailyVolume } = dailyVolumeJobs(db);
  const { addArrivals } = keepArrivals(db);
  const { countEvents } = keepRollups(db);
  const { updateAlerts } = keepAlerts(db);
  const addEvents = prepareAddEvents(db);

  return async (reported: readonly Reported[]): Promise<TelemetryReceipt[] | Refusal> => {
    const ids = await addEvents(
      reported.map(({ siteId, batch: { licenseId, receivedAt, events } }) => ({
        licenseId,
        siteId,
        receivedAt,
        events,
      })),
    );
    const added = reported.map((each, index) => addedOf(each, ids[index] ?? []));
    const those = added.filter((one) => one !== undefined);
    const [volumes] = await Promise.all([
      Promise.all(volumesOf(those).map(spendDailyVolume)),
      addArrivals(
        those.map(({ batch: { licenseId, receivedAt }, ...one }) => ({ ...one, licenseId, receivedAt })),
      ),
      ...[...Map.groupBy(those, ({ siteId }) => siteId)].map(([siteId, ofSite]) =>
        countEvents(
          ofSite[0]?.batch.licenseId ?? 0,
          siteId,
          ofSite.flatMap(({ events }) => events),
        ),
      ),
      ...those.map(({ batch: { licenseId, receivedAt }, siteId, events }) =>
        updateAlerts(licenseId, siteId, alertsOf(events), receivedAt),
      ),
    ]);
    return (
      volumes.find(isRefusal) ??
      reported.map(({ batch: { events } }, index) => {
        const accepted = added[index]?.events.length ?? 0;
        return { accepted, duplicate: events.length - accepted };
      })
    );
  };
}

function addedOf(reported: Reported, ids: readonly (number | undefined)[]): Added | undefined {
  // No other insert can happen in between, so all ids from the first to the last are of this request.
  const firstEventId = ids.find((id) => id !== undefined);
  const lastEventId = ids.findLast((id) => id !== undefined);
  if (firstEventId === undefined || lastEventId === undefined) return undefined;
  const events = reported.batch.events.filter((_, index) => ids[index] !== undefined);
  return { ...reported, events, firstEventId, lastEventId };
}

/** The volume for each day of each license. If it exceeds the smallest budget of its requests, not all can be accepted. */
function volumesOf(added: readonly Added[]): VolumeUse[] {
  const days = Map.groupBy(
    added,
    ({ batch: { licenseId, receivedAt } }) => `${licenseId} ${utcDay(receivedAt)}`,
  );
  return [...days.values()].flatMap((ofDay) => {
    const [first] = ofDay;
    if (first === undefined) return [];
    const events = ofDay.flatMap((one) => one.events);
    return {
      licenseId: first.batch.licenseId,
      now: first.batch.receivedAt,
      events: events.length,
      bytes: events.reduce((sum, event) => sum + eventBytes(event), 0),
      budget: ofDay.map(({ batch }) => batch.budget).reduce(leastBudget),
    };
  });
}
