import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { CREDENTIALS, ORDINARY } from '../support/credentials.ts';
import { type RunningService, start } from '../support/service.ts';
import { everythingKept, rows } from '../support/store.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };

let service: RunningService;
let strict: RunningService;
let key: string;
beforeAll(async () => {
  // Its own process: every file in its data directory is read.
  [service, strict] = await Promise.all([
    start('binary', UNLIMITED),
    start('binary', { ...UNLIMITED, SERVICE_TELEMETRY_PII: '0' }),
  ]);
  key = (await service.issue('--plan', 'pro', '--domain', 'shop.com')).key;
});
afterAll(() => Promise.all([service.end(), strict.end()]));

const send = async (body: object, to = service, as = key) => {
  const reply = await call(to.url, `${API}/telemetry`, { key: as, body });
  expect(reply.status).toBe(200);
  return reply.json.data;
};
const heartbeat = (more: object) => ({ site_url: 'shop.com', license_key: key, ...more });

test('no credential from any place in telemetry is in any file of the service', async () => {
  const texts = CREDENTIALS.texts.map(([, text]) => text);
  const metadata = CREDENTIALS.metadata.map(([fields]) => fields);
  const attack = await send({
    domain: 'shop.com',
    events: [
      ...texts.map((message) => ({ type: 'found', message })),
      ...metadata.map((fields) => ({ type: 'found', metadata: fields })),
    ],
  });
  expect(attack).toMatchObject({
    ack: 'events',
    events_accepted: texts.length + metadata.length,
    values_redacted: texts.length + metadata.length,
  });
  for (const text of texts) {
    const [, beat, one] = await Promise.all([
      send({ domain: 'shop.com', events: [{ type: 'found', metadata: { list: [{ text }] } }] }),
      send(
        heartbeat({
          acme_plugin_version: text.slice(0, 64),
          stats: { text, secret: text },
          events: [{ type: 'found', message: text }],
        }),
      ),
      send({
        site_url: 'shop.com',
        event_type: 'found',
        message: `before ${text} after`,
        metadata: { text },
      }),
    ]);
    expect(beat).toMatchObject({ ack: 'heartbeat', events_accepted: 1 });
    expect(beat.values_redacted).toBeWithin(3, 5);
    expect(one).toMatchObject({ ack: 'events', events_accepted: 1, values_redacted: 2 });
  }

  const secrets = [
    ...CREDENTIALS.texts.map(([, , secret]) => secret),
    ...CREDENTIALS.metadata.map(([, secret]) => secret),
  ];
  // Shorter ones appear in any file by chance: ids and hashes are long hexadecimal numbers.
  const searchable = secrets.filter((secret) => secret.length > 7);
  for (const file of everythingKept(service)) {
    for (const secret of searchable)
      expect([secret, file.includes(Buffer.from(secret).toString('latin1'))]).toEqual([secret, false]);
  }
  expect(rows(service, 'select metadata from events where metadata like \'%"pin"%\'')).toEqual([
    { metadata: '{"pin":"[redacted: key.credential]"}' },
  ]);
});

test('a tenant reads ordinary telemetry unchanged, and sees where something was redacted', async () => {
  const { key: own } = await service.issue('--plan', 'starter', '--domain', 'own.com');
  const events = [
    ...ORDINARY.texts.map((message) => ({ type: 'seen', message })),
    ...ORDINARY.metadata.map((metadata) => ({ type: 'seen', metadata })),
  ];
  const data = await send({ domain: 'own.com', events }, service, own);
  expect(data).toMatchObject({ events_accepted: events.length, values_redacted: 0 });
  await send(
    { domain: 'own.com', events: [{ type: 'seen', message: 'with password=hunter2 by ann@example.com' }] },
    service,
    own,
  );

  const page = await call(service.url, `${API}/events?limit=200`, { key: own });
  const seen = page.json.data.events.map(
    ({ message, metadata }: Record<string, unknown>) => message ?? metadata,
  );
  expect(seen).toEqual(expect.arrayContaining([...ORDINARY.texts, ...ORDINARY.metadata]));
  expect(seen).toContain('with password=[redacted: value.named-secret] by ann@example.com');
});

test('refused requests are refused as before, and leave no credential', async () => {
  const body = {
    domain: 'shop.com',
    events: [
      { type: 'x', message: 'password=unstored1' },
      { type: 'x', occurred_at: 'never' },
    ],
  };
  const reply = await call(service.url, `${API}/telemetry`, { key, body });
  expect([reply.status, reply.json.error.code]).toEqual([400, 'INVALID_PAYLOAD']);
  expect(reply.text).not.toContain('unstored1');
  for (const file of everythingKept(service)) expect(file).not.toContain('unstored1');
});

describe('E-mail and IP addresses', () => {
  const message = 'ann@example.com came from 192.0.2.7 and 2001:db8::7';

  test('stay, because they are the data of the tenant', async () => {
    expect((await send({ domain: 'shop.com', events: [{ type: 'kept', message }] })).values_redacted).toBe(0);
    expect(rows(service, "select message from events where type = 'kept'")).toEqual([{ message }]);
  });

  test('are redacted where the operator wants none', async () => {
    const { key: own } = await strict.issue('--plan', 'free', '--domain', 'own.com');
    const stats = { last_ip: '192.0.2.7', 'bob@example.com': 1 };
    const events = [{ type: 'seen', message, metadata: { ip: '2001:db8::7' } }];
    const body = { site_url: 'own.com', license_key: own, plugin_version: '2.4.1.10', stats, events };
    expect((await send(body, strict, own)).values_redacted).toBe(4);
    expect(rows(strict, 'select message, metadata from events')).toEqual([
      {
        message: '[redacted: value.email] came from [redacted: value.ipv4] and [redacted: value.ipv6]',
        metadata: '{"ip":"[redacted: value.ipv6]"}',
      },
    ]);
    expect(rows(strict, 'select plugin_version, stats from sites')).toEqual([
      {
        plugin_version: '2.4.1.10',
        stats: '{"last_ip":"[redacted: value.ipv4]","[redacted: value.email]":1}',
      },
    ]);
  });
});
