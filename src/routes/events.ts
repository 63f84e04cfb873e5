import { Type as t } from '@sinclair/typebox';
import type { KeptEvent } from '../domain/event/events.ts';
import { closed, nullable, show, timestamp, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { SeverityName } from '../http/fields.ts';
import { bearerRoute, queryOf } from '../http/route/index.ts';
import { iso } from '../lib/clock.ts';
import { ownTurn } from '../lib/own-turn.ts';
import type { EventPage } from '../storage/sites/events.ts';
import { PAGE, PAGE_DEFAULT } from './fields/page-query.ts';
import { readSpan, SPAN } from './fields/query-moment.ts';
import { EXAMPLE_SITE } from './fields/site-fields.ts';
import { SiteId } from './fields/site-path.ts';
import type { Parts } from './parts.ts';

const LIST = 'events';
/** Maximum number of searches per request. Other requests run between them, even if a filter matches few events. */
const TURNS_MAX = 12;

const EventQuery = closed({
  site: t.Optional(SiteId),
  type: t.Optional(
    t.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'only events of exactly this type' }),
  ),
  severity: t.Optional(SeverityName),
  ...SPAN('events that occurred'),
  ...PAGE('events'),
});

export const EventList = typed('EventList', {
  events: t.Array(
    typed('Event', {
      id: t.String({ description: 'opaque event ID' }),
      site: t.String({ description: 'site ID' }),
      type: t.String({ description: 'event type' }),
      severity: SeverityName,
      message: nullable(t.String({ description: 'message as sent' })),
      occurred_at: timestamp('time of the event as reported by the sender; never after receipt'),
      received_at: timestamp('time of receipt by the server'),
      event_id: nullable(t.String({ description: 'event ID assigned by the sender' })),
      metadata: nullable(t.Object({}, { description: 'additional data as sent' })),
    }),
    { description: 'events of this page' },
  ),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});
const EXAMPLE = {
  events: [
    {
      id: 'RSWXQuITXmpP8YTUMsLfErnzgZBD-8R6UPE9OCifDPE',
      site: EXAMPLE_SITE.id,
      type: 'attack_blocked',
      severity: 'high',
      message: 'SQL injection blocked',
      occurred_at: '2026-11-22T09:30:00.000Z',
      received_at: '2026-11-22T09:30:00.000Z',
      event_id: 'evt-0001',
      metadata: { attempts: 12 },
    },
  ],
  next_cursor: null,
};

export const events = bearerRoute({
  at: 'GET /events',
  plan: 'starter',
  query: queryOf(EventQuery),
  operationId: 'listEvents',
  summary: 'List events',
  description:
    'Newest arrivals first. New events appear before the first page, so paging returns every event once. A page can contain fewer events than requested, even none: continue until `next_cursor` is null. Returns no events for sites of other tenants. Requires the plan starter or higher.',
  tag: TAGS.tenant,
  answer: show(EventList, EXAMPLE, 'Returns a page of events.'),
  handle: async ({ licenseId, query }, { tenantData, identities }: Parts<'identities' | 'tenantData'>) => {
    const { site = null, type = null, severity = null, limit = PAGE_DEFAULT, cursor } = query;
    const cursorKey = identities.cursorKey(licenseId, LIST);
    const wanted = {
      licenseId,
      sitePublicId: site,
      type,
      severity,
      ...readSpan(query),
    };
    const found: KeptEvent[] = [];
    let beforeId: number | undefined =
      cursor === undefined ? Number.MAX_SAFE_INTEGER : decodeCursor(cursorKey, cursor);
    for (let turn = 0; turn < TURNS_MAX && beforeId !== undefined && found.length < limit; turn++) {
      if (turn > 0) await ownTurn();
      const next = { ...wanted, beforeId, limit: limit - found.length };
      const part: EventPage = await tenantData.atOnce(({ events }) => events.page(next));
      found.push(...part.events);
      beforeId = part.nextBeforeId;
    }
    return {
      events: found.map((event) => ({
        id: identities.eventId(licenseId, event.id, event.receivedAt),
        site: event.sitePublicId,
        type: event.type,
        severity: event.severity,
        message: event.message,
        occurred_at: iso(event.occurredAt),
        received_at: iso(event.receivedAt),
        event_id: event.eventId,
        metadata: event.metadata === null ? null : JSON.parse(event.metadata),
      })),
      next_cursor: beforeId === undefined ? null : encodeCursor(cursorKey, beforeId),
    };
  },
});
