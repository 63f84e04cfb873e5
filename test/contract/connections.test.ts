import { afterEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectOverTls } from 'node:tls';
import { tlsSettings } from '../support/certificate.ts';
import { API, call, expectHeaders } from '../support/client.ts';
import { answersIn, sendRaw, sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const FILES_MAX = 300;
const MANY = 400;
const STATUS = `GET ${API}/status HTTP/1.1\r\nHost: x.test\r\n\r\n`;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
/** A request that waits for its body, and so for its answer, once it was told to go on. */
const UNANSWERED = `POST ${API}/license/verify HTTP/1.1\r\nHost: x.test\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{`;

let service: RunningService;
// Without waiting for the connections that are still open.
afterEach(() => service.end('SIGKILL'));

interface Opened {
  readonly socket: Socket;
  isClosed(): boolean;
  received(): string;
}

/** Opens a connection, says something and stays. */
function open(text: string, { overTls = false, localAddress = '127.0.0.1' } = {}): Opened {
  const { hostname: host, port } = new URL(service.url);
  const say = () => socket.write(text);
  const socket: Socket = overTls
    ? connectOverTls({ host, port: Number(port), rejectUnauthorized: false }, say)
    : connect({ host, port: Number(port), localAddress }, say);
  let received = '';
  let isClosed = false;
  socket.on('data', (data: Buffer) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  return { socket, isClosed: () => isClosed, received: () => received };
}

const openMany = (count: number, ...how: Parameters<typeof open>) =>
  Array.from({ length: count }, () => open(...how));

/** The value of a metric. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** A systemd-notify that writes down what it is told. */
function fakeSystemd() {
  const folder = temporaryDirectory();
  const told = join(folder, 'told');
  const command = join(folder, 'systemd-notify');
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${told}\n`);
  chmodSync(command, 0o755);
  return {
    env: { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/told/by/test', WATCHDOG_USEC: '400000' },
    messages: () => (existsSync(told) ? readFileSync(told, 'utf8').split('\n') : []),
  };
}

describe(`${MANY} connections to a service that may have ${FILES_MAX} files`, () => {
  test.each([
    ['silent ones', '', false],
    ['ones that stopped within a request line', 'GET /api', false],
    ['ones that stopped within a header', 'GET / HTTP/1.1\r\nHost: x.te', false],
    ['ones that were answered', STATUS, false],
    ['ones that were answered over TLS', STATUS, true],
  ])('%s keep nobody out, nor systemd from being told', async (_, text, overTls) => {
    const systemd = fakeSystemd();
    const settings = { ...systemd.env, ...(overTls ? tlsSettings() : {}) };
    service = await start('binary', settings, { openFilesMax: FILES_MAX });
    expect(service.log()).toContain('raise the limit of open files');
    const crowd = openMany(MANY, text, { overTls });
    const room = FILES_MAX - 128;
    await until(() => crowd.filter(({ isClosed }) => isClosed()).length >= MANY - room);
    for (let again = 0; again < 20; again++) {
      const [answer] = await sendRawToTheEnd(
        service.url,
        STATUS.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
      );
      expect(answer?.status).toBe(200);
    }
    const before = systemd.messages().length;
    await until(() => systemd.messages().slice(before).includes('WATCHDOG=1'));
    expect(service.log()).toContain('too many connections');
    expect(service.log()).not.toContain('systemd could not be told');
  });

  test('over TLS without a handshake cannot keep systemd from being told', async () => {
    const systemd = fakeSystemd();
    service = await start('binary', { ...systemd.env, ...tlsSettings() }, { openFilesMax: FILES_MAX });
    openMany(MANY, '');
    const isFull = () => {
      const files = `/proc/${service.process.pid}/fd`;
      return Bun.spawnSync(['ls', files]).stdout.toString().split('\n').length > FILES_MAX - 10;
    };
    await until(isFull);
    const before = systemd.messages().length;
    await until(() =>
      systemd
        .messages()
        .slice(before + 1)
        .includes('WATCHDOG=1'),
    );
    expect(isFull()).toBe(true);
  });
});

test('an address with too many connections ends its own, not those of others', async () => {
  service = await start('binary', { SERVICE_CONNECTIONS_PER_IP: '10' });
  const other = open(STATUS, { localAddress: '127.0.0.2' });
  await until(() => other.received());
  const crowd = openMany(50, STATUS, { localAddress: '127.0.0.3' });
  await until(() => crowd.filter(({ isClosed }) => isClosed()).length === 40);
  expect(other.isClosed()).toBe(false);
  // One is refused while all of its address wait for answers.
  const names = ['redoubt_connections_displaced_total', 'redoubt_connections_refused_total'];
  const [displaced = 0, refused = 0] = await Promise.all(names.map(metric));
  expect(displaced + refused).toBe(40);
  const heard = other.received().length;
  other.socket.write(STATUS);
  await until(() => other.received().length > heard);
});

test('connections of a trusted proxy are bounded only with all others', async () => {
  service = await start('binary', { SERVICE_CONNECTIONS_PER_IP: '10', SERVICE_TRUSTED_PROXIES: '127.0.0.3' });
  const crowd = openMany(50, STATUS, { localAddress: '127.0.0.3' });
  await until(() => crowd.every(({ received }) => received()));
  expect(crowd.some(({ isClosed }) => isClosed())).toBe(false);
});

test('while all connections wait for answers a newcomer is refused at once, and then let in', async () => {
  service = await start('binary', { SERVICE_CONNECTIONS: '10' });
  const busy: Opened[] = [];
  for (let index = 0; index < 10; index++) {
    const next = open(UNANSWERED);
    await until(() => next.received() === CONTINUE);
    busy.push(next);
  }
  const early = openMany(5, STATUS);
  await until(() => early.every(({ isClosed }) => isClosed()));
  expect(early.map(({ received }) => received())).toEqual(['', '', '', '', '']);
  expect(busy.some(({ isClosed }) => isClosed())).toBe(false);

  busy[0]?.socket.write('}'.repeat(99));
  await until(() => busy[0]?.received() !== CONTINUE);
  const late = open(STATUS);
  const [answer] = await until(() => {
    const answers = answersIn(late.received());
    return answers.length > 0 && answers;
  });
  expect(answer?.status).toBe(200);
  expect(service.log()).toContain('too many connections');
});

test('the bounds follow a reload', async () => {
  const file = join(temporaryDirectory(), 'settings.env');
  writeFileSync(file, 'SERVICE_CONNECTIONS_PER_IP=5\n');
  service = await start('binary', { SERVICE_CONFIG: file });
  writeFileSync(file, 'SERVICE_CONNECTIONS_PER_IP=50\n');
  service.process.kill('SIGHUP');
  await until(() => service.log().includes('"reloaded"'));
  const crowd = openMany(40, STATUS);
  await until(() => crowd.every(({ received }) => received()));
  expect(await metric('redoubt_connections')).toBeGreaterThanOrEqual(40);
});

test('what is closed is forgotten', async () => {
  service = await start('binary');
  for (const text of ['', 'GET', STATUS, UNANSWERED, 'no request\r\n\r\n']) {
    const crowd = openMany(20, text);
    await until(async () => (await metric('redoubt_connections')) > 0);
    for (const { socket } of crowd.slice(10)) socket.end();
    for (const { socket } of crowd) socket.resetAndDestroy();
  }
  // The one that asks.
  await until(async () => (await metric('redoubt_connections')) <= 1);
});

test('a head that takes too long, or never comes, is answered with 408', async () => {
  service = await start('binary');
  const dripping = open('GET / HTTP/1.1\r\n');
  const drip = setInterval(() => dripping.socket.write('X: y\r\n'), 1_000);
  const slow = [dripping, open(''), open('GET /'), open(`${STATUS}GET /`)];
  await until(() => slow.every(({ isClosed }) => isClosed()), 15_000);
  clearInterval(drip);
  for (const { received } of slow) {
    const { status, headers, body } = answersIn(received()).at(-1) ?? {};
    expect([status, JSON.parse(body ?? '').error.code]).toEqual([408, 'REQUEST_TIMEOUT']);
    expectHeaders(headers ?? new Headers());
  }
});

test('a client that asks whether to go on with its body is told at once', async () => {
  service = await start('binary');
  const body = '{"api_key":"x","domain":"x.test"}';
  const head = `POST ${API}/license/verify HTTP/1.1\r\nHost: x.test\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
  const client = open(head);
  await until(() => client.received() === CONTINUE);
  client.socket.write(body);
  const [, answer] = await until(() => {
    const answers = answersIn(client.received());
    return answers.length === 2 && answers;
  });
  expect(answer?.status).toBe(200);
});

test('a connection gets all of some answers that it does not wait for, in order, and then its end', async () => {
  service = await start('binary', { SERVICE_RATE_IP_PER_MINUTE: '100000' });
  const { key } = await service.issue('--plan', 'pro', '--test');
  const ask = (path: string) =>
    `GET ${API}${path} HTTP/1.1\r\nHost: x.test\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const verify = (domain: string) => {
    const body = JSON.stringify({ api_key: domain === 'x.test' ? key : 'x', domain });
    return `POST ${API}/license/verify HTTP/1.1\r\nHost: x.test\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const asked = [
    verify('x.test'),
    ask('/me'),
    verify('y.test'),
    ask('/nope'),
    ask('/sites'),
    verify('x.test'),
  ];
  const last = ask('/status').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  const statuses = [200, 200, 200, 404, 200, 200, 200];
  // A host that stalls in between ends the connection sooner, with an answer.
  const answers = await until(async () => {
    const some = await sendRawToTheEnd(service.url, asked.join('') + last);
    expect(some.map(({ status }) => status)).toEqual(statuses.slice(0, some.length));
    return some.length === statuses.length && some;
  });
  const verdicts = answers.map(({ body }) => JSON.parse(body).valid);
  expect(verdicts.filter((valid) => valid !== undefined)).toEqual([true, false, true]);

  const many = await sendRawToTheEnd(service.url, verify('x.test').repeat(1_000));
  expect(many.length).toBeWithin(1, 1_000);
  for (const { status } of many) expect(status).toBe(200);
  expect((await sendRaw(service.url, ask('/status'))).status).toBe(200);
  expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
});
