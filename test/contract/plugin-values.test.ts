import { beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { rows } from '../support/store.ts';

// Values that PHP, Python and JavaScript clients write for missing fields and for moments.

let service: RunningService;
let key: string;
beforeAll(async () => {
  service = await sharedService();
  key = (await service.issue('--plan', 'pro', '--sites', '1', '--domain', 'values.com')).key;
});

const send = (body: object) => call(service.url, `${API}/telemetry`, { key, body });
const EMPTY = [null, '', ' ', '\ufeff'];
const eventId = () => `values-${Math.random()}`;
const storedEvent = (id: string) => rows(service, `select * from events where event_id = '${id}'`)[0];

describe.each(EMPTY)('an optional field that is %j counts as absent', (empty) => {
  test.each(['severity', 'message', 'occurred_at', 'metadata'])('%s of an event', async (field) => {
    const id = eventId();
    const event = { type: 'login_failed', event_id: id, [field]: empty };
    const listed = await send({ domain: 'values.com', site_uuid: empty, events: [event] });
    expect([listed.status, listed.json.data?.events_accepted]).toEqual([200, 1]);
    expect(storedEvent(id)).toMatchObject({ severity: 'medium', message: null, metadata: null });

    const single = { site_url: 'values.com', event_type: 'login_failed', event_id: eventId() };
    expect((await send({ ...single, [field]: empty })).status).toBe(200);
    const beat = { site_url: 'values.com', license_key: key, events: [{ ...event, event_id: eventId() }] };
    expect((await send(beat)).json.data).toMatchObject({ ack: 'heartbeat', events_accepted: 1 });
  });

  test('event_id: two without one are two events', async () => {
    const events = [1, 2].map(() => ({ type: 'x', event_id: empty }));
    expect((await send({ domain: 'values.com', events })).json.data).toMatchObject({ events_accepted: 2 });
  });

  test('every optional field of a heartbeat, and those of other shapes', async () => {
    const beat = {
      site_url: 'https://values.com',
      license_key: key,
      plugin_version: empty,
      acme_plugin_version: '3.1',
      stats: empty,
      events: empty,
      event_type: empty,
      domain: empty,
      site_uuid: empty,
    };
    expect((await send(beat)).json.data).toMatchObject({ ack: 'heartbeat', events_accepted: 0 });
    expect(rows(service, "select * from sites where domain = 'values.com'")[0]).toMatchObject({
      plugin_version: '3.1',
      site_uuid: null,
      stats: null,
    });
  });

  test('api_key and domain of license/verify', async () => {
    const verify = (body: object, as?: string) =>
      call(service.url, `${API}/license/verify`, { ...(as ? { key: as } : {}), body });
    expect((await verify({ api_key: empty, domain: empty }, key)).json).toMatchObject({ valid: true });
    expect((await verify({ api_key: empty, domain: 'values.com' }, key)).json).toMatchObject({ valid: true });
    expect((await verify({ api_key: key, domain: empty })).status).toBe(400);
    expect((await verify({ api_key: empty, domain: 'values.com' })).status).toBe(400);
  });

  test('email, domain and license_key of a checkout', async () => {
    const body = { items: ['pro'], email: empty, domain: empty, license_key: empty };
    expect((await call(service.url, `${API}/checkout`, { body })).json).toMatchObject({ mock: true });
  });

  test('client_secret of a trial', async () => {
    const unique = Math.random().toString(36).slice(2);
    const body = {
      domain: `values-${unique}.com`,
      install_hash: `values-hash-${unique}-0000`,
      email: `owner@values-${unique}.com`,
      client_secret: empty,
    };
    expect((await call(service.url, `${API}/license/trial`, { body })).json).toMatchObject({ mock: true });
  });

  test('but a required field is refused by its name', async () => {
    const refused = await send({ domain: 'values.com', events: [{ type: empty }] });
    expect([refused.status, refused.json.error.message]).toEqual([
      400,
      expect.stringMatching(/^events\[0\]\.type: /),
    ]);
    const checkout = await call(service.url, `${API}/checkout`, { body: { items: empty } });
    expect([checkout.status, checkout.json.message]).toEqual([400, expect.stringMatching(/^items: /)]);
  });
});

test('a stat without a value is dropped, and the others are stored', async () => {
  const stats = { blocked: 3, last_scan: null, mode: '', ratio: 0.1, on: 1 };
  expect((await send({ site_url: 'values.com', license_key: key, stats })).status).toBe(200);
  const [site] = rows(service, "select * from sites where domain = 'values.com'");
  expect(JSON.parse(site?.stats as string)).toEqual({ blocked: 3, mode: '', ratio: 0.1, on: 1 });
});

describe('an integer in place of an identifier becomes its digits', () => {
  const PLAIN = ['0', '123', '-7', '9007199254740991'];
  const OTHERS = [
    '1.5',
    '1.0',
    '1e3',
    '1E3',
    '-0.0',
    '9007199254740993',
    '1e25',
    'true',
    'false',
    '[1]',
    '{"a":1}',
  ];
  const raw = (event: string) =>
    call(service.url, `${API}/telemetry`, {
      key,
      body: `{"domain":"values.com","events":[{"type":"x"},${event}]}`,
    });

  test.each(PLAIN)('event_id: %s', async (id) => {
    const unique = id === '123' ? String(Math.floor(Math.random() * 1e9)) : id;
    expect((await raw(`{"type":"x","event_id":${unique}}`)).status).toBe(200);
    expect(storedEvent(unique)).toMatchObject({ event_id: unique });
    // It is the same identifier as a string.
    const again = await raw(`{"type":"x","event_id":"${unique}"}`);
    expect(again.json.data).toMatchObject({ events_accepted: 1, events_duplicate: 1 });
  });

  test.each(OTHERS)('but %s is refused and nothing is stored', async (value) => {
    const before = rows(service, 'select count(*) as n from events');
    for (const field of ['event_id', 'message']) {
      const { status, json } = await raw(`{"type":"x","${field}":${value}}`);
      expect(status).toBe(400);
      expect(json.error.message).toStartWith(`events[1].${field}: `);
    }
    expect(rows(service, 'select count(*) as n from events')).toEqual(before);
  });

  test('a number of any form in stats and metadata is stored unchanged', async () => {
    const stats = '{"a":1.0,"b":1e3,"c":5,"d":1.5}';
    const body = `{"site_url":"values.com","license_key":"${key}","site_uuid":42,"stats":${stats},"events":[{"type":"x","event_id":7001,"metadata":{"post":12,"ratio":1.0}}]}`;
    expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
    const [site] = rows(service, "select * from sites where domain = 'values.com'");
    expect([site?.site_uuid, JSON.parse(site?.stats as string)]).toEqual([
      site?.site_uuid,
      { a: 1, b: 1_000, c: 5, d: 1.5 },
    ]);
    expect(JSON.parse(storedEvent('7001')?.metadata as string)).toEqual({ post: 12, ratio: 1 });
  });

  test('and in place of any other string is still refused with the name of the field', async () => {
    for (const [field, path, body] of [
      ['message', '/telemetry', { site_url: 'values.com', event_type: 'x', message: 404 }],
      ['plugin_version', '/telemetry', { site_url: 'values.com', license_key: key, plugin_version: 3 }],
      ['license_key', '/telemetry', { site_url: 'values.com', license_key: 5 }],
      ['domain', '/telemetry', { domain: 5, events: [] }],
      ['api_key', '/license/verify', { api_key: 5, domain: 'values.com' }],
      ['email', '/license/trial', { domain: 'values.com', install_hash: 1234567890123456, email: 5 }],
    ] as const) {
      const { status, json } = await call(service.url, API + path, { key, body });
      expect([path, status, json.error.message ?? json.message]).toEqual([
        path,
        400,
        expect.stringContaining(`${field}: Expected`),
      ]);
    }
  });

  test('in every shape of telemetry and on the other routes of plugins', async () => {
    const single = { site_url: 'values.com', event_type: 'x', event_id: 7002 };
    expect((await send(single)).status).toBe(200);
    expect(storedEvent('7002')).toBeDefined();
    expect((await send({ domain: 'values.com', site_uuid: 42, events: [] })).status).toBe(200);
    expect(rows(service, "select site_uuid from sites where domain = 'values.com'")).toEqual([
      { site_uuid: '42' },
    ]);
    const trial = { domain: 'values-42.com', install_hash: 1234567890123456, email: 'owner@values-42.com' };
    expect((await call(service.url, `${API}/license/trial`, { body: trial })).status).toBe(200);
    const checkout = await call(service.url, `${API}/checkout`, { body: { items: [7] } });
    expect([checkout.status, checkout.json.error]).toEqual([400, 'INVALID_PAYLOAD']);
    const components = [1, 2.5].map((version) => ({ ecosystem: 'wordpress-plugin', name: 2048, version }));
    const match = await call(service.url, `${API}/vulnerabilities/match`, { key, body: { components } });
    if (match.status !== 503) expect(match.json.data.counts).toMatchObject({ unsupported: 1 });
  });
});

test.each([
  ['DATE_ATOM, date("c")', '2026-01-02T04:04:05+01:00'],
  ['DATE_ISO8601', '2026-01-02T03:04:05+0000'],
  ['DATE_RFC3339_EXTENDED', '2026-01-02T03:04:05.000+00:00'],
  ['isoformat() with microseconds', '2026-01-02T03:04:05.000001+00:00'],
  ['toISOString()', '2026-01-02T03:04:05.000Z'],
  ['RFC3339Nano', '2026-01-02T03:04:05.000000001Z'],
  ['basic form', '20260102T030405Z'],
])('occurred_at as %s is read', async (_, occurred_at) => {
  const id = eventId();
  expect(
    (await send({ domain: 'values.com', events: [{ type: 'x', event_id: id, occurred_at }] })).status,
  ).toBe(200);
  expect(storedEvent(id)?.occurred_at).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
});

test('the same moments are read in queries', async () => {
  for (const since of ['2026-01-02T03:04:05+0000', '20260102T030405Z', '2026-01-02T03:04Z']) {
    const answer = await call(service.url, `${API}/events?since=${encodeURIComponent(since)}`, { key });
    expect([since, answer.status]).toEqual([since, 200]);
  }
});
