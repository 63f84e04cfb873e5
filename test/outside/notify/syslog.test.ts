import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import type { NotificationEvent } from '../../../src/domain/notification/event.ts';
import { shownEvent } from '../../../src/domain/notification/shown-event.ts';
import { SYSLOG_FORMATS, syslogLine } from '../../../src/domain/notification/syslog.ts';
import { createIdleConnections } from '../../../src/outside/notify/idle-connections.ts';
import { createSyslog, type SyslogOptions, type SyslogTarget } from '../../../src/outside/notify/syslog.ts';
import { fakeSite } from '../../support/fake-site.ts';
import {
  CA,
  certificateFor,
  eventWith,
  HOST,
  HOSTILE_TEXTS,
  messageOf,
  networkTo,
} from '../../support/receivers.ts';
import { until } from '../../support/service.ts';
import {
  isInstalled,
  RECEIVERS,
  type ReceiverName,
  type SyslogReceiver,
  startReceiver,
} from '../../support/syslog-receivers.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

const deliverTo = (target: Partial<SyslogTarget>, more: Partial<SyslogOptions> = {}, port = 1) => {
  const idle = createIdleConnections();
  open.push(idle);
  const at = { host: HOST, port: 6514 };
  return createSyslog(
    { at, format: 'structured', ca: CA, ...target },
    { network: networkTo(port), allowPrivate: false, idle, version: '1.2.3', timeoutMs: 3_000, ...more },
  );
};

/** A text as it arrives: one line, bounded. */
const shownText = (text: string): string =>
  String(shownEvent(eventWith({ data: { text } }), false).fields[0]?.[1] ?? '');

describe.each(Object.keys(RECEIVERS) as ReceiverName[])('%s', (name) => {
  if (!isInstalled(name)) return test.skip(`${name} is not installed: see .ci/run`, () => {});
  let receiver: SyslogReceiver;
  let count = 0;
  beforeAll(async () => {
    receiver = await startReceiver(name);
  });
  afterAll(() => receiver.stop());

  const ways = () => [
    { at: { path: receiver.path }, deliver: deliverTo({ at: { path: receiver.path } }) },
    { at: 'TLS', deliver: deliverTo({}, {}, receiver.port) },
  ];
  /** The messages received for events, in order. */
  const arrived = async (deliver: ReturnType<typeof deliverTo>, events: readonly NotificationEvent[]) => {
    const [first = eventWith(), ...others] = events;
    const found = await deliver({ events: [first, ...others], isPersonalIncluded: true });
    expect(found).toMatchObject({ outcome: 'delivered' });
    count += events.length;
    return (await receiver.received(count)).slice(-events.length);
  };

  test('parses messages over TLS and a Unix socket with the intended meaning', async () => {
    for (const { deliver } of ways()) {
      const [line, audit] = await arrived(deliver, [
        eventWith(),
        eventWith({ type: 'audit', severity: 'info' }),
      ]);
      expect(line).toMatchObject({ pri: '130', app: 'redoubt', msgid: 'alert.opened' });
      expect([audit?.pri, audit?.msgid]).toEqual(['110', 'audit']);
      expect(line?.msg).toBe('A critical alert was opened at shop.example');
      expect(Date.parse(line?.at ?? '')).toBe(eventWith().at);
      expect(line?.sd).toEqual({
        id: eventWith().id,
        severity: 'critical',
        link: 'https://licenses.example/console/alerts/7',
        license_id: 'lic_1',
        site: 'shop.example',
        alerts: '2',
        isTest: 'false',
        customer: 'Ann Example',
      });
    }
  });

  test('parses any names, in each format, as one message each', async () => {
    const [unix, tls] = ways();
    for (const format of SYSLOG_FORMATS) {
      const deliver = deliverTo(
        { format, ...(format === 'cef' ? {} : { at: { path: receiver.path } }) },
        {},
        receiver.port,
      );
      const lines = await arrived(
        deliver,
        HOSTILE_TEXTS.map((text) => eventWith({ summary: text, data: { text }, personal: {} })),
      );
      for (const [at, line] of lines.entries()) {
        const text = shownText(HOSTILE_TEXTS[at] ?? '');
        if (format === 'structured') expect(line.sd.text).toBe(text);
        if (format === 'ecs') expect(JSON.parse(line.msg)).toMatchObject({ labels: { text } });
        if (format === 'cef') expect(cefExtension(line.msg).redoubtText).toBe(text);
      }
    }
    const pieces = ['"', '\\', ']', '[', '=', ' ', '\n', '\u2028', '<1>', '12 ', 'a', '\ufeff'];
    const texts = fc.array(
      fc
        .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })))
        .map((parts) => parts.join('')),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.constantFrom(unix, tls), async (values, way) => {
        if (way === undefined) return;
        const lines = await arrived(
          way.deliver,
          values.map((text) => eventWith({ data: { text } })),
        );
        expect(lines.map(({ sd }) => sd.text)).toEqual(values.map(shownText));
      }),
      { numRuns: 20 },
    );
  });

  test('receives messages after an outage', async () => {
    const deliver = deliverTo({ at: { path: receiver.path } });
    await arrived(deliver, [eventWith()]);
    await receiver.stop();
    expect(await deliver(messageOf())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('socket'),
    });
    receiver = await startReceiver(name);
    count = 0;
    await arrived(deliverTo({ at: { path: receiver.path } }), [eventWith()]);
  });
});

/** Parses the extension of a CEF message by its specification. */
function cefExtension(message: string): Record<string, string> {
  const [, extension = ''] = /^CEF:0\|(?:(?:\\.|[^|\\])*\|){6}(.*)$/.exec(message) ?? [];
  const pairs = extension.matchAll(/(?:^| )([A-Za-z]+)=((?:\\.|[^\\=])*)(?=$| [A-Za-z]+=)/g);
  return Object.fromEntries(
    [...pairs].map(([, name = '', value = '']) => [name, value.replace(/\\(.)/g, '$1')]),
  );
}

test('for any event a line has less than 8 KiB, no byte order mark and no control character', () => {
  const origin = { host: 'höst name', processId: 7, version: '1|2' };
  for (const text of HOSTILE_TEXTS)
    for (const format of SYSLOG_FORMATS) {
      const data = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`field_${at}`, text]));
      const event = shownEvent(eventWith({ summary: text, data, personal: { customer: text } }), true);
      const line = syslogLine(event, format, origin);
      expect(Buffer.byteLength(line)).toBeLessThan(8_192);
      expect(line).not.toMatch(/[\p{Cc}\ufeff]/u);
      expect(line).toStartWith('<130>1 2026-11-28T14:05:00.000Z hstname redoubt 7 alert.opened ');
    }
});

describe('a connection', () => {
  /** A stream socket that counts connections and stores received data. */
  const socketServer = async (onConnection: (socket: Socket) => void = () => {}) => {
    const path = join(temporaryDirectory(), 'socket');
    const texts: string[] = [];
    const server: Server = createServer((socket) => {
      const at = texts.push('') - 1;
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          texts[at] += bytes.toString();
        });
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    open.push(server);
    return { at: { path }, texts };
  };

  test('is reused, and reopened after the server has closed it', async () => {
    let last: Socket | undefined;
    const { at, texts } = await socketServer((socket) => {
      last = socket;
    });
    const deliver = deliverTo({ at });
    for (let sent = 0; sent < 3; sent++) await deliver(messageOf());
    await until(() => texts[0]?.split('\n').length === 4);
    expect(texts).toHaveLength(1);
    const closed = new Promise((resolve) => last?.once('close', resolve));
    last?.destroy();
    await closed;
    await until(async () => {
      await deliver(messageOf());
      return texts.length === 2;
    });
  });

  test('to a server that reads nothing ends in time', async () => {
    const { at } = await socketServer((socket) => socket.pause());
    const deliver = deliverTo({ at }, { timeoutMs: 300 });
    const events = Array.from({ length: 2_000 }, () => eventWith({ data: { text: 'x'.repeat(500) } }));
    expect(await deliver(messageOf(events as [(typeof events)[0]]))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('in time'),
    });
  });

  test.each<[string, string[], string | undefined, string, string]>([
    ['an unknown CA', [], undefined, 'failed', 'trusted CA'],
    ['another name', ['other.example'], CA, 'failed', 'another name'],
  ])('to a server with a certificate of %s sends nothing', async (_, names, ca, outcome, words) => {
    const site = await fakeSite(() => undefined, certificateFor(...names));
    open.push(site);
    expect(await deliverTo({ ca }, {}, site.port)(messageOf())).toMatchObject({
      outcome,
      reason: expect.stringContaining(words),
    });
    expect(site.heads).toEqual([]);
  });

  test.each(['127.0.0.1', '169.254.169.254', '10.0.0.7'])('to %s is refused', async (address) => {
    const network = { ...networkTo(1), lookup: async () => [address] };
    expect(await deliverTo({}, { network })(messageOf())).toMatchObject({ outcome: 'refused', status: null });
    expect(network.dialled).toEqual([]);
  });

  test('to a missing socket is a failure in words', async () => {
    expect(await deliverTo({ at: { path: '/no/such/socket' } })(messageOf())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('The socket does not accept connections'),
    });
  });
});
