import type { SiteEvent } from '../../src/domain/event/events.ts';
import { NO_LIMIT } from '../../src/domain/license/daily-budget.ts';
import type { TelemetryBatch } from '../../src/storage/sites/telemetry.ts';

/** One request of a site of license 1, with default values for missing fields of its events. */
export const batchOf = (receivedAt: number, events: readonly Partial<SiteEvent>[]): TelemetryBatch => ({
  licenseId: 1,
  domain: 'shop.test',
  claim: null,
  unregisteredAllowed: null,
  siteUuid: null,
  pluginVersion: null,
  stats: null,
  budget: NO_LIMIT,
  receivedAt,
  events: events.map((event) => ({
    type: 'x',
    severity: 'info',
    message: null,
    metadata: null,
    eventId: null,
    occurredAt: receivedAt,
    ...event,
  })),
});
