import { beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, sharedService } from '../support/service.ts';
import { rows, stored } from '../support/store.ts';

let service: RunningService;
let key: string;
let license: number;
beforeAll(async () => {
  service = await sharedService();
  const issued = await service.issue('--plan', 'pro', '--sites', '1', '--domain', 'shop.com');
  key = issued.key;
  license = Number(issued.license_id.slice('lic_'.length));
});

const send = (body: unknown, as = key) => call(service.url, `${API}/telemetry`, { key: as, body });
const heartbeat = () => ({ site_url: 'https://shop.com', license_key: key });
const events = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'attack_blocked',
    event_id: `${Math.random()}-${index}`,
    ...more,
  }));

describe('the three shapes', () => {
  test('a heartbeat stores version and stats and may contain events', async () => {
    const { json } = await send({
      site_url: 'https://www.shop.com/blog',
      license_key: key,
      acme_shield_plugin_version: '3.2.1',
      stats: { blocked: 4, mode: 'strict', on: true },
      events: events(2),
      from_a_newer_plugin: { ignored: true },
    });
    expect(json.data).toEqual({
      ack: 'heartbeat',
      received_at: expect.any(String),
      events_accepted: 2,
      values_redacted: 0,
      next_heartbeat_seconds: 300,
      license_status: 'active',
    });
    const [site] = rows(service, 'select * from sites where license_id = ?', license);
    expect(site).toMatchObject({ plugin_version: '3.2.1', stats: '{"blocked":4,"mode":"strict","on":true}' });
  });

  test('attack events are stored unchanged', async () => {
    const { json } = await send({
      site_uuid: 'abc-123',
      domain: 'shop.com',
      events: [
        {
          type: 'sql_injection',
          event_id: 'kept',
          occurred_at: '2026-01-02T03:04:05+01:00',
          metadata: { a: 1 },
          message: 'm',
        },
      ],
    });
    expect(json.data).toMatchObject({ ack: 'events', events_accepted: 1, events_duplicate: 0 });
    expect(rows(service, "select * from events where event_id = 'kept'")[0]).toMatchObject({
      type: 'sql_injection',
      severity: 'high',
      message: 'm',
      occurred_at: Date.parse('2026-01-02T02:04:05Z'),
      metadata: '{"a":1}',
    });
  });

  test('one event of an SDK is acknowledged like attack events', async () => {
    const { json } = await send({
      site_url: 'https://shop.com',
      event_type: 'malware_found',
      severity: 'critical',
      message: 'x',
      metadata: {},
    });
    expect(json.data).toMatchObject({ ack: 'events', events_accepted: 1 });
  });

  test('one event of an SDK may be repeated and may have its moment', async () => {
    const event = {
      site_url: 'https://shop.com',
      event_type: 'x',
      event_id: 'sdk-1',
      occurred_at: '2026-01-02T03:04:05Z',
    };
    expect((await send(event)).json.data).toMatchObject({ events_accepted: 1, events_duplicate: 0 });
    expect((await send(event)).json.data).toMatchObject({ events_accepted: 0, events_duplicate: 1 });
    const [kept] = rows(service, "select occurred_at from events where event_id = 'sdk-1'");
    expect(kept?.occurred_at).toBe(Date.parse('2026-01-02T03:04:05Z'));
  });

  test("PHP's empty array is accepted as empty stats and metadata, and as no other object", async () => {
    const sent = events(1, { metadata: [] });
    expect((await send({ ...heartbeat(), stats: [], events: sent })).json.data.events_accepted).toBe(1);
    const sdk = { site_url: 'shop.com', event_type: 'login_failed', event_id: 'php', metadata: [] };
    expect((await send(sdk)).json.data.events_accepted).toBe(1);
    const kept = rows(
      service,
      `select metadata from events where event_id in ('${sent[0]?.event_id}', 'php')`,
    );
    expect(kept).toEqual([{ metadata: '{}' }, { metadata: '{}' }]);
    expect(rows(service, 'select stats from sites where license_id = ?', license)).toEqual([{ stats: '{}' }]);

    for (const body of [
      { ...heartbeat(), stats: [1] },
      { ...heartbeat(), stats: [[]] },
      { ...heartbeat(), events: events(1, { metadata: [{}] }) },
      { ...heartbeat(), events: [[]] },
      { ...sdk, metadata: ['x'] },
    ]) {
      expect((await send(body)).json.error?.code).toBe('INVALID_PAYLOAD');
    }
  });

  test('100 events are accepted, 101 are not', async () => {
    expect((await send({ domain: 'shop.com', events: events(100) })).status).toBe(200);
    expect((await send({ domain: 'shop.com', events: events(101) })).json.error.code).toBe('INVALID_PAYLOAD');
  });

  test('a repetition is idempotent, within one request too', async () => {
    const batch = {
      domain: 'shop.com',
      events: [...events(3), { type: 'x', event_id: 'twice' }, { type: 'x', event_id: 'twice' }],
    };
    expect((await send(batch)).json.data).toMatchObject({ events_accepted: 4, events_duplicate: 1 });
    expect((await send(batch)).json.data).toMatchObject({ events_accepted: 0, events_duplicate: 5 });
  });

  test('an event from the future counts as of now', async () => {
    await send({
      domain: 'shop.com',
      events: [{ type: 'x', event_id: 'future', occurred_at: '2999-01-01T00:00:00Z' }],
    });
    const [event] = rows(service, "select occurred_at, received_at from events where event_id = 'future'");
    expect(event?.occurred_at).toBe(event?.received_at as number);
  });
});

test.each([
  ['a message', 1_000, (text: string) => ({ domain: 'shop.com', events: [{ type: 'x', message: text }] })],
  ['a stat', 1_000, (text: string) => ({ ...heartbeat(), stats: { a: text } })],
  ['the name of a stat', 128, (text: string) => ({ ...heartbeat(), stats: { [text]: 1 } })],
  ['the version of a plugin', 64, (text: string) => ({ ...heartbeat(), acme_plugin_version: text })],
  [
    'an address',
    2_048,
    (text: string) => ({ domain: `shop.com/${[...text].slice(9).join('')}`, events: [] }),
  ],
] as const)('the length of %s is counted in characters: %d', async (_, most, bodyWith) => {
  for (const character of ['x', 'ä', '😀']) {
    const answers = [most, most + 1].map(async (length) => send(bodyWith(character.repeat(length))));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 400]);
  }
});

describe('a body is accepted', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  test.each([
    ['with a byte order mark', '\ufeff{"domain":"shop.com","events":[]}'],
    ['with blanks around it', ' \r\n\t{"domain":"shop.com","events":[]}\n\n'],
    [
      'with repeated keys of which the last is valid',
      '{"domain":"evil.com","domain":"shop.com","events":7,"events":[]}',
    ],
    [
      'with unknown fields next to and inside of an event',
      '{"domain":"shop.com","newer":[{"a":null}],"events":[{"type":"x","source":{"ip":"192.0.2.1"},"newer":null}]}',
    ],
    [
      'with the name of another shape’s field',
      '{"domain":"shop.com","events":[],"site_url":"shop.com","stats":7}',
    ],
    ['of exactly 32 levels', `{"domain":"shop.com","events":[],"newer":${deep(31)}}`],
    ['with __proto__ among unknown fields', '{"domain":"shop.com","events":[],"__proto__":{"events":7}}'],
    [
      'with names of every object',
      '{"domain":"shop.com","events":[],"constructor":1,"toString":2,"hasOwnProperty":3}',
    ],
    ['with a number beyond any range', '{"domain":"shop.com","events":[],"newer":1e999}'],
    [
      'with thousands of fields of a newer plugin',
      `{"domain":"shop.com","events":[]${',"x":[]'.repeat(30_000)}}`,
    ],
  ])('%s', async (_, body) => {
    expect((await send(body)).status).toBe(200);
  });

  test('with escaped surrogate pairs', async () => {
    const body =
      '{"domain":"shop.com","events":[{"type":"x","event_id":"odd","message":"a\\ud83d\\ude00b\\\\u0000c\\\\ud800"}]}';
    expect((await send(body)).json.data.events_accepted).toBe(1);
    expect(rows(service, "select message from events where event_id = 'odd'")).toEqual([
      { message: 'a😀b\\u0000c\\ud800' },
    ]);
  });
});

describe('a refused request stores nothing', () => {
  const good = { domain: 'shop.com', events: [] };
  const withEvent = (event: object) => ({
    domain: 'shop.com',
    events: [...events(36), { type: 'ok' }, event, { type: 'ok' }],
  });
  const cases: readonly [name: string, body: () => unknown, status: number, code: string, says?: string][] = [
    ['an event without a type', () => withEvent({}), 400, 'INVALID_PAYLOAD', 'events[37].type'],
    [
      'an event type with capitals',
      () => withEvent({ type: 'Attack' }),
      400,
      'INVALID_PAYLOAD',
      'events[37].type',
    ],
    [
      'an unknown severity',
      () => withEvent({ type: 'x', severity: 'huge' }),
      400,
      'INVALID_PAYLOAD',
      'events[37].severity',
    ],
    [
      'a message of 1,001 characters',
      () => withEvent({ type: 'x', message: 'x'.repeat(1001) }),
      400,
      'INVALID_PAYLOAD',
      'events[37].message',
    ],
    [
      'a moment that is none',
      () => withEvent({ type: 'x', occurred_at: '2026-02-30T00:00:00Z' }),
      400,
      'INVALID_PAYLOAD',
      'events[37].occurred_at',
    ],
    [
      'metadata over 4 KiB',
      () => withEvent({ type: 'x', metadata: { a: 'ä'.repeat(2048) } }),
      400,
      'INVALID_PAYLOAD',
      'events[37].metadata',
    ],
    [
      'metadata that is no object',
      () => withEvent({ type: 'x', metadata: [1] }),
      400,
      'INVALID_PAYLOAD',
      'events[37].metadata',
    ],
    [
      'NUL in a message',
      () => withEvent({ type: 'x', message: 'a\u0000b' }),
      400,
      'INVALID_PAYLOAD',
      'events[37].message: ',
    ],
    [
      'half of a surrogate pair under a name in metadata',
      () => withEvent({ type: 'x', metadata: { secret: ['\ud800'] } }),
      400,
      'INVALID_PAYLOAD',
      'events[37].metadata.(unknown field)[0]: ',
    ],
    [
      'the name of a field that holds NUL',
      () => ({ ...good, 'a\u0000b': 1 }),
      400,
      'INVALID_PAYLOAD',
      '(unknown field): ',
    ],
    ['events that are no array', () => ({ ...good, events: {} }), 400, 'INVALID_PAYLOAD', 'events'],
    [
      'events of no domain',
      () => ({ ...good, domain: 'not a domain' }),
      400,
      'INVALID_PAYLOAD',
      'domain: is not',
    ],
    [
      'a heartbeat of no domain',
      () => ({ ...heartbeat(), site_url: 'shop' }),
      400,
      'INVALID_PAYLOAD',
      'site_url: is',
    ],
    [
      'an event of no domain',
      () => ({ site_url: 'a b', event_type: 'x' }),
      400,
      'INVALID_PAYLOAD',
      'site_url: is',
    ],
    ['no shape at all', () => ({}), 400, 'INVALID_PAYLOAD', 'domain'],
    ['an array', () => [good], 400, 'INVALID_PAYLOAD'],
    ['a string', () => '"text"', 400, 'INVALID_PAYLOAD'],
    ['null', () => 'null', 400, 'INVALID_PAYLOAD'],
    ['stats with an object', () => ({ ...heartbeat(), stats: { a: {} } }), 400, 'INVALID_PAYLOAD', 'stats'],
    [
      'stats with an object under a name of two lines',
      () => ({ ...heartbeat(), stats: { 'a\nb': { c: [] } } }),
      400,
      'INVALID_PAYLOAD',
      'stats',
    ],
    [
      'stats with a name of 129 characters',
      () => ({ ...heartbeat(), stats: { ['x'.repeat(129)]: 1 } }),
      400,
      'INVALID_PAYLOAD',
      'stats',
    ],
    [
      'stats that are infinite',
      () => `{"site_url":"https://shop.com","license_key":"${key}","stats":{"a":1e999}}`,
      400,
      'INVALID_PAYLOAD',
      'stats',
    ],
    [
      "another license's key in the body",
      () => ({ ...heartbeat(), license_key: 'other' }),
      400,
      'INVALID_PAYLOAD',
      'license_key',
    ],
    [
      'a heartbeat without the key',
      () => ({ site_url: 'https://shop.com' }),
      400,
      'INVALID_PAYLOAD',
      'license_key',
    ],
    ['a site that is no domain', () => ({ ...good, domain: 'a..b' }), 400, 'INVALID_PAYLOAD'],
    [
      'events from a domain that is not registered',
      () => ({ ...good, domain: 'evil.com' }),
      403,
      'DOMAIN_MISMATCH',
    ],
    [
      'a heartbeat from a new site when all sites are used',
      () => ({ ...heartbeat(), site_url: 'https://evil.com' }),
      403,
      'SITE_LIMIT_REACHED',
    ],
  ];

  test.each(cases.map(([name, body, status, code, says = '']) => [name, body, status, code, says] as const))(
    '%s',
    async (_, body, status, code, says) => {
      const before = stored(service);
      const answer = await send(body());
      expect([answer.status, answer.json.error.code]).toEqual([status, code]);
      expect(answer.json.error.message).toStartWith(says);
      expect(stored(service)).toEqual(before);
    },
  );

  test.each([
    ['event_id', { a: 1 }],
    ['event_id', [1]],
    ['event_id', true],
    ['event_id', 'x'.repeat(129)],
    ['occurred_at', ['2026-01-01T00:00:00Z']],
    ['occurred_at', 5],
    ['occurred_at', 'yesterday'],
    ['metadata', { a: 'ä'.repeat(2048) }],
  ])('an event of an SDK with a bad %s, and the store is still ready', async (name, value) => {
    const before = stored(service);
    const answer = await send({ site_url: 'https://shop.com', event_type: 'x', [name]: value });
    expect([answer.status, answer.json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
    expect(answer.json.error.message).toStartWith(name);
    expect(stored(service)).toEqual(before);
    expect((await call(service.url, '/readyz')).status).toBe(200);
  });
});

test('a heartbeat registers its domain while a site is free, and events may follow', async () => {
  const { key: fresh } = await service.issue('--plan', 'free');
  expect((await send({ domain: 'new.com', events: [] }, fresh)).json.error.code).toBe('DOMAIN_MISMATCH');
  expect((await send({ site_url: 'http://new.com', license_key: fresh }, fresh)).status).toBe(200);
  expect((await send({ domain: 'www.new.com', events: events(1) }, fresh)).status).toBe(200);
});

test('32 clients that send 100 events at once get no 5xx, and exactly the acknowledged rows are stored', async () => {
  const { key: busy } = await service.issue('--plan', 'pro', '--domain', 'busy.com');
  const rounds = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const answers = [];
      for (let round = 0; round < 5; round++)
        answers.push(await send({ domain: 'busy.com', events: events(100) }, busy));
      return answers;
    }),
  );
  const answers = rounds.flat();
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const acknowledged = answers.reduce((sum, { json }) => sum + json.data.events_accepted, 0);
  expect(acknowledged).toBe(16_000);
  const [row] = rows(
    service,
    "select count(*) as count from events join sites on sites.id = site_id where domain = 'busy.com'",
  );
  expect(row?.count).toBe(acknowledged);
}, 30_000);
