import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { Job } from '../../storage/engine/jobs/jobs.ts';
import type { NewEventCount } from '../../storage/sites/event-counts.ts';
import { DEMO_DAYS, randomFrom } from './events.ts';

/** How much of the first week is also counted in the week before it, of which no events are stored. */
const BEFORE_DAYS = 8;

/** Counts the events of requests by the hour, as a running service counts them; a little fewer before the first day. */
export function countsOf(telemetry: readonly Job[], now: number): Job[] {
  const random = randomFrom(11);
  const byHour = new Map<number, Map<string, NewEventCount>>();
  const add = (at: number, severity: NewEventCount['severity'], type: string) => {
    const hour = at - (at % HOUR_MS);
    const counts = byHour.get(hour) ?? new Map<string, NewEventCount>();
    const key = `${severity} ${type}`;
    counts.set(key, { severity, type, count: 1 + (counts.get(key)?.count ?? 0) });
    byHour.set(hour, counts);
  };
  for (const job of telemetry) {
    if (job.name !== 'recordTelemetry') continue;
    for (const { occurredAt, severity, type } of job.input.events) {
      add(occurredAt, severity, type);
      const isFirst = occurredAt < now - (DEMO_DAYS - BEFORE_DAYS) * DAY_MS;
      if (isFirst && random() < 0.9) add(occurredAt - BEFORE_DAYS * DAY_MS, severity, type);
    }
  }
  return [...byHour].map(
    ([hour, counts]): Job => ({ name: 'addEventCounts', input: { hour, counts: [...counts.values()] } }),
  );
}
