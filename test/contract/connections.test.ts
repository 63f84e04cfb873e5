import { afterEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectOverTls } from 'node:tls';
import { tlsSettings } from '../support/certificate.ts';
import { API } from '../support/client.ts';
import { answersIn, sendRawToTheEnd } from '../support/raw.ts';
import { type RunningService, run, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Needs many starts of the service.

const FILES_MAX = 300;
const MANY = 400;
const STATUS = `GET ${API}/status HTTP/1.1\r\nHost: x.test\r\n\r\n`;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
/** A request that waits to send its body after the interim answer. */
const UNANSWERED = `POST ${API}/license/verify HTTP/1.1\r\nHost: x.test\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{`;

let service: RunningService;
// Without waiting for the open connections.
afterEach(() => service.end('SIGKILL'));

interface Opened {
  readonly socket: Socket;
  isClosed(): boolean;
  received(): string;
}

/** Opens a connection, sends a text and stays. */
function open(text: string, { overTls = false, localAddress = '127.0.0.1' } = {}): Opened {
  const { hostname: host, port } = new URL(service.url);
  const send = () => socket.write(text);
  const socket: Socket = overTls
    ? connectOverTls({ host, port: Number(port), rejectUnauthorized: false }, send)
    : connect({ host, port: Number(port), localAddress }, send);
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

/** A systemd-notify that records its messages. */
function fakeSystemd() {
  const folder = temporaryDirectory();
  const record = join(folder, 'told');
  const command = join(folder, 'systemd-notify');
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${record}\n`);
  chmodSync(command, 0o755);
  return {
    env: { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/told/by/test', WATCHDOG_USEC: '400000' },
    messages: () => (existsSync(record) ? readFileSync(record, 'utf8').split('\n') : []),
  };
}

/** Whether a new client is answered: immediately, or after one reset, which every client handles. */
async function isServed(): Promise<boolean> {
  const ask = () => sendRawToTheEnd(service.url, STATUS.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  const [answer] = await ask();
  return (answer ?? (await ask())[0])?.status === 200;
}

describe(`${MANY} connections to a service with a limit of ${FILES_MAX} files`, () => {
  test.each([
    ['silent ones', '', false],
    ['idle ones within a request line', 'GET /api', false],
    ['idle ones within a header', 'GET / HTTP/1.1\r\nHost: x.te', false],
    ['idle ones within a body', UNANSWERED, false],
    ['answered ones', STATUS, false],
    ['answered ones over TLS', STATUS, true],
    ['ones over TLS without a handshake', '', 'later' as const],
  ])('%s block no new client, and no messages to systemd', async (_, text, overTls) => {
    const systemd = fakeSystemd();
    const settings = { ...systemd.env, ...(overTls ? tlsSettings() : {}) };
    // Its own process: limits of connections are tested.
    service = await start('binary', settings, { openFilesMax: FILES_MAX });
    expect(service.log()).toContain('the limit of open files allows fewer connections');
    const many = openMany(MANY, text, { overTls: overTls === true });
    await until(() => service.log().includes('too many connections'));
    await until(() => many.filter(({ isClosed }) => isClosed()).length >= MANY - FILES_MAX);
    for (let again = 0; again < 20; again++) expect(await isServed()).toBe(true);
    const before = systemd.messages().length;
    await until(() => systemd.messages().slice(before).includes('WATCHDOG=1'));
    expect(service.log()).not.toContain('systemd could not be notified');
  });

  test('that are reopened each time they are closed leave space for others', async () => {
    service = await start('binary', {}, { openFilesMax: FILES_MAX });
    let isOver = false;
    const insist = async (text: string) => {
      while (!isOver) {
        const { isClosed, socket } = open(text);
        await until(() => isOver || isClosed());
        socket.destroy();
      }
    };
    const crowd = Array.from({ length: MANY }, (_, index) => insist(index % 2 ? '' : STATUS));
    await until(() => service.log().includes('too many connections'));
    let served = 0;
    for (let again = 0; again < 20; again++) served += Number(await isServed());
    isOver = true;
    await Promise.all(crowd);
    expect(served).toBeGreaterThanOrEqual(18);
  });
});

test('a request in flight is answered although its connection is over the limit', async () => {
  service = await start('binary', { SERVICE_CONNECTIONS: '50' });
  const waiting = open(UNANSWERED);
  await until(() => waiting.received() === CONTINUE);
  const crowd = openMany(100, STATUS);
  await until(() => crowd.filter(({ isClosed }) => isClosed()).length > 50);
  waiting.socket.write('}'.repeat(99));
  await until(() => waiting.received() !== CONTINUE);
  expect(answersIn(waiting.received()).at(-1)?.status).toBe(400);
});

test('the limit changes with a reload', async () => {
  const file = join(temporaryDirectory(), 'settings.env');
  writeFileSync(file, 'SERVICE_CONNECTIONS=1000\n');
  service = await start('binary', { SERVICE_CONFIG: file });
  const crowd = openMany(200, STATUS);
  await until(() => crowd.every(({ received }) => received()));
  expect(service.log()).not.toContain('too many connections');
  writeFileSync(file, 'SERVICE_CONNECTIONS=100\n');
  service.process.kill('SIGHUP');
  await until(() => crowd.every(({ isClosed }) => isClosed()));
  expect(service.log()).toContain('too many connections');
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^redoubt_connections \d+$/m);
  expect(metrics).toMatch(/^redoubt_connections_crowded_total 1$/m);
});

test('a port that another service listens on is refused', async () => {
  service = await start('binary');
  const settings = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: new URL(service.url).port };
  const { exitCode, stderr } = await run('binary', settings, 'serve');
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('cannot listen')]);
});

test('a client that asks whether to continue with its body gets an immediate answer', async () => {
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
