import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SentEvent } from '../../src/domain/event/events.ts';
import { API, call } from '../support/client.ts';
import { badEvent, sentEvent } from '../support/events.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';

let service: RunningService;
let key: string;
let sites = 0;
beforeAll(async () => {
  service = await sharedService();
  key = (await service.issue('--plan', 'enterprise', '--test')).key;
});

const RUNS = { numRuns: 40 };
const batch = fc.array(sentEvent, { maxLength: 100 });
/** Shapes that the schema refuses, next to those that only the rules do. */
const refusedEvent = fc.oneof(
  badEvent,
  fc.constantFrom<object>(
    {},
    { type: 'Capital' },
    { type: 'x', severity: 'huge' },
    { type: 'x', message: 'x'.repeat(1_001) },
    { type: 'x', event_id: 'a b' },
    { type: 'x', metadata: [1] },
  ),
);

const freshSite = () => `site-${++sites}.test`;
const send = (domain: string, events: readonly unknown[]) =>
  call(service.url, `${API}/telemetry`, { key, body: { domain, events } });
const kept = (domain: string) =>
  rows(
    service,
    `select type, event_id, message from events join sites on sites.id = site_id
     where sites.domain = ? order by events.id`,
    domain,
  );
/** Events without an earlier one of the same event_id. */
const distinct = (events: readonly SentEvent[]) =>
  events.filter(
    ({ event_id }, index) =>
      event_id === undefined || events.findIndex((other) => other.event_id === event_id) === index,
  );

describe('for any batch of events', () => {
  test('a valid one is accepted completely and in order, and a repetition adds only events without event_id', async () => {
    await fc.assert(
      fc.asyncProperty(batch, async (events) => {
        const site = freshSite();
        const first = await send(site, events);
        const unique = distinct(events);
        expect([first.status, first.json.data?.events_accepted]).toEqual([200, unique.length]);
        expect(first.json.data.events_duplicate).toBe(events.length - unique.length);
        expect(kept(site)).toEqual(
          unique.map(({ type, event_id = null, message = null }) => ({ type, event_id, message })) as never,
        );

        const again = await send(site, events);
        const anonymous = events.filter(({ event_id }) => event_id === undefined).length;
        expect(again.json.data).toMatchObject({
          events_accepted: anonymous,
          events_duplicate: events.length - anonymous,
        });
        expect(kept(site)).toHaveLength(unique.length + anonymous);
      }),
      RUNS,
    );
  });

  test('an invalid one is refused completely, with the index of the event, and nothing is stored', async () => {
    const before = stored(service);
    const few = fc.array(sentEvent, { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(few, refusedEvent, few, async (good, bad, more) => {
        const { status, json } = await send(freshSite(), [...good, bad, ...more]);
        expect([status, json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
        expect(json.error.message).toStartWith(`events[${good.length}]`);
      }),
      RUNS,
    );
    expect(stored(service)).toEqual(before);
  });

  test('concurrent overlapping batches leave each event_id once', async () => {
    const identified = fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(identified, { minLength: 2, maxLength: 6 }), async (batches) => {
        const site = freshSite();
        const answers = await Promise.all(
          batches.map((ids) =>
            send(
              site,
              ids.map((id) => ({ type: 'x', event_id: `e${id}` })),
            ),
          ),
        );
        const accepted = answers.reduce((sum, { json }) => sum + json.data.events_accepted, 0);
        const different = new Set(batches.flat()).size;
        expect([accepted, kept(site).length]).toEqual([different, different]);
      }),
      RUNS,
    );
  });
});
