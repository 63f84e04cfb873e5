import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { engineOf } from '../support/engines.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => {
  expect(service.log()).not.toContain('unexpected error');
});

const numbered = (from: number, to: number, more: object = {}) =>
  Array.from({ length: to - from }, (_, index) => ({ type: 'x', event_id: String(from + index), ...more }));

/** Reads all pages; `between` runs after each of them. */
async function walk(tenant: Tenant, query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const met: string[] = [];
  let cursor: string | null = null;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data } = (await tenant.get(`/events?${query}${at}`)).json;
    met.push(...data.events.map(({ event_id }: { event_id: string }) => event_id));
    cursor = data.next_cursor;
    await between?.();
  } while (cursor !== null);
  return met;
}

describe('the list', () => {
  test('has the sent events, newest arrivals first', async () => {
    const tenant = await tenantOf(service);
    await tenant.send('shop.test', [
      {
        type: 'malware_found',
        severity: 'critical',
        message: 'Web shell',
        occurred_at: '2026-01-02T03:04:05+01:00',
        event_id: 'e1',
        metadata: { a: { b: [1] } },
      },
      { type: 'x', severity: 'info' },
    ]);
    const [{ id: site }] = (await tenant.get('/sites')).json.data.sites;
    const { events, next_cursor } = (await tenant.get('/events')).json.data;
    expect(next_cursor).toBeNull();
    expect(events).toEqual([
      expect.objectContaining({ type: 'x', message: null, event_id: null, metadata: null }),
      {
        id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        site,
        type: 'malware_found',
        severity: 'critical',
        message: 'Web shell',
        occurred_at: '2026-01-02T02:04:05.000Z',
        received_at: expect.any(String),
        event_id: 'e1',
        metadata: { a: { b: [1] } },
      },
    ]);
    expect(events[0].id).not.toBe(events[1].id);
  });

  test('has every event once on its pages while others arrive', async () => {
    const tenant = await tenantOf(service);
    const other = await tenantOf(service);
    for (let from = 0; from < 200; from += 40) {
      await tenant.send('shop.test', numbered(from, from + 40));
      await other.send('shop.test', numbered(from, from + 40));
    }
    let arrived = 1_000;
    const met = await walk(tenant, 'limit=7', async () => {
      await tenant.send('shop.test', numbered(arrived, arrived + 5, { occurred_at: '2020-01-01T00:00:00Z' }));
      arrived += 5;
    });
    expect(met).toEqual(Array.from({ length: 200 }, (_, index) => String(199 - index)));
  });

  test('filters by site, type, severity and the moment of occurrence, together and page by page', async () => {
    const tenant = await tenantOf(service);
    await tenant.send('one.test', numbered(0, 20, { occurred_at: '2026-01-01T00:00:00Z' }));
    await tenant.send('two.test', numbered(20, 40, { type: 'y', severity: 'high' }));
    await tenant.send(
      'one.test',
      numbered(40, 60, { severity: 'high', occurred_at: '2026-01-02T00:00:00Z' }),
    );
    const [{ id: one }] = (await tenant.get('/sites')).json.data.sites;
    const met = async (query: string) =>
      (await walk(tenant, `limit=7&${query}`)).map(Number).sort((a, b) => a - b);
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
    expect(await met(`site=${one}`)).toEqual([...range(0, 20), ...range(40, 60)]);
    expect(await met('type=y')).toEqual(range(20, 40));
    expect(await met('severity=high')).toEqual(range(20, 60));
    expect(await met(`severity=high&site=${one}`)).toEqual(range(40, 60));
    expect(await met('since=2026-01-02T00:00:00Z')).toEqual(range(20, 60));
    expect(await met('until=2026-01-02T00:00:00Z')).toEqual(range(0, 20));
    expect(await met('since=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00.001Z')).toEqual([
      ...range(0, 20),
      ...range(40, 60),
    ]);
    expect(await met('type=y&severity=low')).toEqual([]);
    expect(await met('site=unknown')).toEqual([]);
  });

  test('with since has events from before the clock was temporarily behind, and ends', async () => {
    const tenant = await tenantOf(service);
    await tenant.send('shop.test', numbered(0, 10));
    await tenant.send('shop.test', numbered(10, 20));
    await tenant.send('shop.test', numbered(20, 30));
    rows(
      service,
      `update arrivals set received_at = 0, oldest_occurred_at = 0, newest_occurred_at = 0
         where first_event_id = (select id from events where event_id = '10' order by id desc limit 1)`,
    );
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const met = await walk(tenant, `since=${hourAgo}`);
    expect(met.map(Number).sort((a, b) => a - b)).toEqual([
      ...Array(10).keys(),
      ...Array.from(Array(10), (_, i) => 20 + i),
    ]);
  });

  // PostgreSQL assigns no row number twice.
  test.if(engineOf(import.meta).name === 'SQLite')(
    'gives an event another id than the deleted one with the same row',
    async () => {
      const tenant = await tenantOf(service);
      await tenant.send('shop.test', [{ type: 'x' }]);
      const idOf = async () => (await tenant.get('/events')).json.data.events[0].id;
      const [before, rowsOf] = [await idOf(), () => rows(service, 'select max(id) as id from events')];
      const [{ id: row }] = rowsOf() as [{ id: number }];
      rows(service, 'delete from events where id = ?', row);
      rows(service, 'delete from arrivals where first_event_id = ?', row);
      await tenant.send('shop.test', [{ type: 'x' }]);
      expect([rowsOf()[0]?.id, (await idOf()) === before]).toEqual([row, false]);
    },
  );

  test('finds the only match among many events, with few read at a time', async () => {
    const tenant = await tenantOf(service);
    await tenant.send('shop.test', [{ type: 'needle', event_id: 'needle' }]);
    await Promise.all(
      Array.from({ length: 100 }, (_, batch) =>
        tenant.send('shop.test', numbered(batch * 100, batch * 100 + 100)),
      ),
    );
    expect(await walk(tenant, 'type=needle')).toEqual(['needle']);
    expect(await walk(tenant, 'type=nothing')).toEqual([]);
  }, 20_000);

  test('has every remaining event once during retention, and ends', async () => {
    const tenant = await tenantOf(service);
    for (let from = 0; from < 40; from += 10) await tenant.send('shop.test', numbered(from, from + 10));
    const forgetOldest = async () => {
      rows(
        service,
        'delete from arrivals where first_event_id = (select min(first_event_id) from arrivals where license_id = ?)',
        Number(tenant.licenseId.slice('lic_'.length)),
      );
    };
    const met = await walk(tenant, 'limit=7', forgetOldest);
    expect(met.map(Number)).toEqual(Array.from({ length: met.length }, (_, index) => 39 - index));
    expect(met.length).toBeWithin(14, 40);
  });

  test.each([
    '?severity=huge',
    '?type=Attack',
    '?since=yesterday',
    '?until=2026-02-30T00:00:00Z',
    '?since=2026-01-01T00:00:00+01:00',
    '?limit=201',
    `?cursor=${Buffer.from('sites:5').toString('base64url')}`,
    '?tenant=lic_1',
  ])('refuses %s', async (query) => {
    const tenant = await tenantOf(service);
    const { status, json, text } = await tenant.get(`/events${query}`);
    expect([status, json.error.code]).toEqual([400, 'INVALID_QUERY']);
    expect(text).not.toContain('lic_1');
  });

  test.each([
    ['?severity=HIGH', 'severity: Expected one of info, low, medium, high, critical'],
    ['?since=2026-01-01', 'since: is not a timestamp such as 2026-01-31T12:00:00Z'],
    ['?until=2026-01-01T00:00:00+01:00', 'in a URL, + is written %2B'],
  ])('names the accepted values instead of %s', async (query, hint) => {
    const tenant = await tenantOf(service);
    expect((await tenant.get(`/events${query}`)).json.error.message).toContain(hint);
  });
});
