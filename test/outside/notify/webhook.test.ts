import { afterEach, describe, expect, test } from 'bun:test';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { keyOf } from '../../../src/domain/signing/ed25519-key.ts';
import { publicJwk } from '../../../src/domain/signing/published-keys.ts';
import { createIdleConnections } from '../../../src/outside/notify/idle-connections.ts';
import {
  createWebhook,
  type WebhookOptions,
  type WebhookTarget,
} from '../../../src/outside/notify/webhook.ts';
import { type Answers, type Certificate, fakeSite, wire } from '../../support/fake-site.ts';
import {
  CA,
  certificateFor,
  eventWith,
  HOST,
  HOSTILE_TEXTS,
  messageOf,
  networkTo,
  PUBLIC,
} from '../../support/receivers.ts';
import { until } from '../../support/service.ts';

const SECRETS = ['a', 'b'].map((letter) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`);
const key = keyOf(generateKeyPairSync('ed25519').privateKey);
const CERTIFICATE = certificateFor();
const NOW = Date.now();

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const optionsTo = (port: number, more: Partial<WebhookOptions> = {}): WebhookOptions => {
  const idle = createIdleConnections();
  open.push(idle);
  return {
    network: networkTo(port),
    allowPrivate: false,
    idle,
    version: '1.2.3',
    timeoutMs: 3_000,
    signer: async () => key,
    now: () => NOW,
    ...more,
  };
};
const target = (more: Partial<WebhookTarget> = {}): WebhookTarget => ({
  url: new URL(`https://${HOST}/in?a=b`),
  format: 'standard',
  secrets: SECRETS,
  ca: CA,
  ...more,
});

/** A receiver with a usual HTTP server. */
async function receiver(isPlain = false) {
  const requests: { url: string; headers: Record<string, string>; body: string }[] = [];
  const answer: Parameters<typeof createServer>[1] = async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    requests.push({ url: request.url ?? '', headers: request.headers as Record<string, string>, body });
    response.end('ok');
  };
  const server = isPlain ? createServer(answer) : createSecureServer({ ...CERTIFICATE }, answer);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server, { close: () => server.closeAllConnections() });
  return { port: (server.address() as AddressInfo).port, requests, connections: () => connections };
}

/** A receiver that sends the given bytes as its answer. */
const rawReceiver = async (answers: Answers, tls: Certificate | undefined = CERTIFICATE) => {
  const site = await fakeSite(answers, tls);
  open.push(site);
  return site;
};
const sendTo = async (answers: Answers, more: Partial<WebhookOptions> = {}) =>
  createWebhook(target(), optionsTo((await rawReceiver(answers)).port, more))(messageOf());

describe('the request of a webhook', () => {
  test('is verified by a library of Standard Webhooks with either secret, and by the published key', async () => {
    const { port, requests } = await receiver();
    expect(await createWebhook(target(), optionsTo(port))(messageOf())).toMatchObject({
      outcome: 'delivered',
      status: 200,
    });
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = requests;
    const event = eventWith();
    const sent = {
      type: 'alert.opened',
      timestamp: '2026-11-28T14:05:00.000Z',
      data: {
        license_id: 'lic_1',
        site: 'shop.example',
        alerts: 2,
        isTest: false,
        severity: 'critical',
        summary: event.summary,
        link: event.link,
      },
    };
    for (const secret of SECRETS) expect(new Webhook(secret).verify(body, headers)).toEqual(sent);
    expect(() => new Webhook(SECRETS[0] ?? '').verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(`whsec_${btoa('c'.repeat(32))}`).verify(body, headers)).toThrow();
    const [, signature = ''] = /v1a,(\S+)/.exec(headers['webhook-signature'] ?? '') ?? [];
    const jwk = createPublicKey({ key: { ...publicJwk('Ed25519', key.publicKey) }, format: 'jwk' });
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(verify(null, Buffer.from(signed), jwk, Buffer.from(signature, 'base64'))).toBe(true);
    expect([
      url,
      headers['webhook-id'],
      headers['content-type'],
      headers['user-agent'],
      headers.host,
    ]).toEqual(['/in?a=b', event.id, 'application/json', 'Redoubt/1.2.3', HOST]);
  });

  test('is signed only by the secrets while no Ed25519 key is available', async () => {
    const { port, requests } = await receiver();
    for (const signer of [async () => undefined, () => Promise.reject(new Error('away'))]) {
      await createWebhook(target({ secrets: SECRETS.slice(0, 1) }), optionsTo(port, { signer }))(messageOf());
      expect(requests.pop()?.headers['webhook-signature']).toMatch(/^v1,\S{44}$/);
    }
  });

  test('has personal data only for targets that include it', async () => {
    const { port, requests } = await receiver();
    const deliver = createWebhook(target(), optionsTo(port));
    await deliver(messageOf());
    await deliver(messageOf({}, true));
    const [without, personal] = requests.map(({ body }) => JSON.parse(body).data.personal);
    expect([without, personal]).toEqual([undefined, { customer: 'Ann Example' }]);
  });

  test('is one request and bounded for any event', async () => {
    const { port, requests } = await receiver();
    const deliver = createWebhook(target(), optionsTo(port));
    for (const text of HOSTILE_TEXTS)
      await deliver(messageOf({ summary: text, data: { name: text }, personal: { [text]: text } }, true));
    expect(requests).toHaveLength(HOSTILE_TEXTS.length);
    for (const { headers, body } of requests) {
      expect(new Webhook(SECRETS[0] ?? '').verify(body, headers)).toMatchObject({ type: 'alert.opened' });
      expect(body.length).toBeLessThan(8_192);
      expect(Object.keys(headers)).not.toContain('bcc');
    }
  });

  test('sends event by event over one connection, until one is not accepted', async () => {
    const { port, requests, connections } = await receiver();
    const events = [1, 2, 3].map((number) => eventWith({ id: `evt_${number}` }));
    const many = messageOf(events as [(typeof events)[0]]);
    expect(await createWebhook(target(), optionsTo(port))(many)).toMatchObject({ outcome: 'delivered' });
    expect([requests.map(({ headers }) => headers['webhook-id']), connections()]).toEqual([
      ['evt_1', 'evt_2', 'evt_3'],
      1,
    ]);
    const site = await rawReceiver(() => wire(500));
    expect(await createWebhook(target(), optionsTo(site.port))(many)).toMatchObject({ outcome: 'failed' });
    expect(site.heads).toHaveLength(1);
  });

  test('is repeated over a new connection if the receiver has closed the idle one', async () => {
    const site = await rawReceiver((_, socket) => {
      socket.write(wire(200));
      setTimeout(() => socket.destroy(), 20);
      return undefined;
    });
    const deliver = createWebhook(target(), optionsTo(site.port));
    for (let sent = 1; sent <= 3; sent++) {
      expect(await deliver(messageOf())).toMatchObject({ outcome: 'delivered' });
      expect(site.connections()).toBe(sent);
    }
  });
});

describe('an answer', () => {
  test.each<[number, string, string]>([
    [200, 'delivered', ''],
    [204, 'delivered', ''],
    [299, 'delivered', ''],
    [301, 'failed', 'redirects'],
    [401, 'failed', 'secret'],
    [404, 'failed', 'path'],
    [410, 'gone', 'no longer exists'],
    [422, 'failed', 'format'],
    [500, 'failed', 'its log'],
    [503, 'failed', 'its log'],
  ])('the status %d means %s', async (status, outcome, words) => {
    const found = await sendTo(() => wire(status, {}, 'zq7secret of the receiver'));
    expect(found).toMatchObject({ outcome, status });
    expect('reason' in found ? found.reason : '').toContain(words);
    expect(JSON.stringify(found)).not.toContain('zq7');
  });

  test('a redirect to a metadata address is not followed', async () => {
    const network = networkTo(
      (await rawReceiver(() => wire(307, { Location: 'http://169.254.169.254/' }))).port,
    );
    const found = await createWebhook(target(), optionsTo(0, { network }))(messageOf());
    expect(found).toMatchObject({ outcome: 'failed', status: 307 });
    expect([network.lookups, network.dialled]).toEqual([[HOST], [`${PUBLIC}:443`]]);
  });

  test.each<[string, number | undefined]>([
    ['120', 120_000],
    ['0', 0],
    ['999999999', 86_400_000],
    [new Date(NOW + 60_000).toUTCString(), 60_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['-1', undefined],
    ['soon', undefined],
    ['1e9', undefined],
    ['9'.repeat(400), undefined],
  ])('Retry-After: %s is obeyed for at most a day', async (header, expected) => {
    const found = await sendTo(() => wire(429, { 'Retry-After': header }));
    const { retryAfterMs } = found as { retryAfterMs?: number };
    if (expected === undefined) expect(retryAfterMs).toBeUndefined();
    else expect(Math.abs((retryAfterMs ?? Number.NaN) - expected)).toBeLessThanOrEqual(1_000);
  });

  test.each<[string, Answers, string]>([
    ['says nothing', () => undefined, 'in time'],
    ['drips its head', (_, socket) => void socket.write('HTTP/1.1 200 OK\r\nX: '), 'in time'],
    ['closes at once', (_, socket) => void socket.destroy(), 'closed the connection'],
    ['speaks another protocol', () => '220 mail ESMTP\r\n\r\n', 'not a valid response'],
    ['sends garbage', () => '\x00\xff'.repeat(99), 'not a valid response'],
    ['has an endless head', () => `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(9_999)}`, 'not a valid response'],
  ])('of a receiver that %s is a failure in words', async (_, answers, words) => {
    const startedAt = performance.now();
    const found = await sendTo(answers, { timeoutMs: 300 });
    expect(found).toMatchObject({ outcome: 'failed', status: null });
    expect('reason' in found ? found.reason : '').toContain(words);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test.each<[string, string]>([
    ['huge', `Content-Length: 99999999\r\n\r\n${'x'.repeat(65_536)}`],
    ['that never ends', 'Content-Length: 5\r\n\r\nhe'],
    ['in chunks without end', `Transfer-Encoding: chunked\r\n\r\n${'5\r\nhello\r\n'.repeat(2_000)}`],
    ['that ends with its connection', '\r\nhello'],
  ])('with a body %s is not awaited, and its connection is not reused', async (_, rest) => {
    let closed = 0;
    const site = await rawReceiver((_path, socket) => {
      socket.once('close', () => {
        closed += 1;
      });
      socket.write(`HTTP/1.1 200 OK\r\n${rest}`);
      return undefined;
    });
    const deliver = createWebhook(target(), optionsTo(site.port));
    for (const sent of [1, 2]) {
      expect(await deliver(messageOf())).toMatchObject({ outcome: 'delivered', status: 200 });
      await until(() => closed === sent);
    }
  });
});

describe('a webhook connects', () => {
  const refused = async (url: string, addresses: readonly string[], allowPrivate: boolean) => {
    const network = { ...networkTo(1), lookup: async () => addresses };
    const found = await createWebhook(
      target({ url: new URL(url) }),
      optionsTo(1, { network, allowPrivate }),
    )(messageOf());
    return [found.outcome, network.dialled.length];
  };

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    'no address',
  ])('never to %s, with or without the setting', async (address) => {
    for (const allowPrivate of [false, true]) {
      expect(await refused(`https://${HOST}/`, [address], allowPrivate)).toEqual(['refused', 0]);
      expect(await refused(`https://${HOST}/`, [PUBLIC, address], allowPrivate)).toEqual(['refused', 0]);
    }
  });

  test.each(['10.0.0.7', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd12::1', '::ffff:10.0.0.7'])(
    'to the private %s only with the setting',
    async (address) => {
      expect(await refused(`https://${HOST}/`, [address], false)).toEqual(['refused', 0]);
      expect(await refused(`https://${HOST}/`, [address], true)).toEqual(['failed', 1]);
    },
  );

  test.each([
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '0xa9fea9fe',
    '[::ffff:a9fe:a9fe]',
  ])('not to %s, in any spelling', async (host) => {
    const url = new URL(`https://${host}/`);
    const address = url.hostname.replace(/^\[|\]$/g, '');
    for (const allowPrivate of [false, true])
      expect(await refused(url.href, [address], allowPrivate)).toEqual(['refused', 0]);
  });

  test('to the checked address: a name is resolved once, even if its address changes meanwhile', async () => {
    const { port, requests } = await receiver();
    const network = networkTo(port, [[PUBLIC], ['169.254.169.254']]);
    expect(await createWebhook(target(), optionsTo(port, { network }))(messageOf())).toMatchObject({
      outcome: 'delivered',
    });
    expect([network.lookups, network.dialled, requests.length]).toEqual([[HOST], [`${PUBLIC}:443`], 1]);
  });

  test('without TLS only if the setting allows it', async () => {
    const { port, requests } = await receiver(true);
    const deliver = (allowPrivate: boolean) =>
      createWebhook(
        target({ url: new URL(`http://${HOST}/`) }),
        optionsTo(port, { allowPrivate }),
      )(messageOf());
    expect([await deliver(false), requests.length]).toEqual([
      expect.objectContaining({ outcome: 'refused', reason: expect.stringContaining('not encrypted') }),
      0,
    ]);
    expect(await deliver(true)).toMatchObject({ outcome: 'delivered' });
  });

  test.each<[string, () => Certificate, string | undefined, string]>([
    ['of an unknown CA', () => CERTIFICATE, undefined, 'trusted CA'],
    ['for another name', () => certificateFor('other.example'), CA, 'another name'],
    ['that has expired', () => certificateFor(HOST, { days: -1 }), CA, 'expired'],
  ])('not to a server with a certificate %s, and sends it nothing', async (_, tls, ca, words) => {
    const site = await rawReceiver(() => wire(200), tls());
    const found = await createWebhook(target({ ca }), optionsTo(site.port))(messageOf());
    expect([found, site.heads]).toEqual([
      expect.objectContaining({ outcome: 'failed', reason: expect.stringContaining(words) }),
      [],
    ]);
  });

  test('in vain to a port without TLS, a dead port or an unknown name: each is a failure in words', async () => {
    const site = await fakeSite(() => wire(200));
    open.push(site);
    const unknown = { ...networkTo(1), lookup: async () => [] };
    for (const [options, words] of [
      [optionsTo(site.port), 'does not speak TLS'],
      [optionsTo(1), 'does not accept connections'],
      [optionsTo(1, { network: unknown }), 'does not resolve'],
    ] as const)
      expect(await createWebhook(target(), options)(messageOf())).toMatchObject({
        outcome: 'failed',
        status: null,
        reason: expect.stringContaining(words),
      });
    expect(site.heads.join()).not.toContain('webhook');
  });
});
