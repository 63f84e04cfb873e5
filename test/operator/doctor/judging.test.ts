import { expect, test } from 'bun:test';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../../src/lib/clock.ts';
import { Fault } from '../../../src/lib/fault.ts';
import { judgeClock } from '../../../src/operator/doctor/clock.ts';
import { judgeOwners, judgeVersion } from '../../../src/operator/doctor/directory.ts';
import { exitCodeOf, type Finding, failure, warning, worded } from '../../../src/operator/doctor/finding.ts';
import { findImpostors, judgeImpostor, listenersIn } from '../../../src/operator/doctor/impostors.ts';
import { judgeMemory } from '../../../src/operator/doctor/memory.ts';
import {
  judgePort,
  judgeSocketFolders,
  listeningsOf,
  whyNotFree,
} from '../../../src/operator/doctor/ports.ts';
import { type Growth, judgeRoom } from '../../../src/operator/doctor/room.ts';
import { judgeChanges, judgeContact, judgeSettings } from '../../../src/operator/doctor/settings.ts';
import { judgeMirror, judgePayments } from '../../../src/operator/doctor/stored.ts';
import { ConfigRefused, loadConfig } from '../../../src/settings/config.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { unitWith } from '../../support/unit.ts';

const NOW = Date.UTC(2027, 0, 1);
const GB = 1_000_000_000;
const summaryOf = (findings: readonly Finding[]) => findings.map(({ severity, id }) => `${severity} ${id}`);

test('the exit code is 1 with an error, 3 with warnings only, and 0 without either', () => {
  const [bad, doubtful] = [failure('a', 'b', 'c'), warning('a', 'b', 'c')];
  expect([[], [doubtful], [doubtful, bad]].map(exitCodeOf)).toEqual([0, 3, 1]);
});

test("an operator's error is split into the problem and the remedy", () => {
  expect(worded('id', new Fault('it is so: because. Do this: or that. And this'), 'else')).toEqual(
    failure('id', 'it is so: because', 'do this: or that. And this'),
  );
  expect(worded('id', new Fault('it is so'), 'else')).toEqual(failure('id', 'it is so', 'else'));
});

test('the wording of other programs stays complete, also at the end of a message', () => {
  const cause = new Error('no way: out');
  const errors = [cause, new Fault('it is so: no way. Out', { cause })];
  expect(errors.map((error) => worded('id', error, 'else'))).toEqual(
    errors.map(({ message }) => failure('id', message, 'else')),
  );
});

test('a file with the wrong mode or owner is reported with the command that repairs it', () => {
  const facts = { directory: '/d', owner: 'redoubt', open: [], foreign: [] };
  expect(judgeOwners(facts)).toEqual([]);
  const [foreign, open] = judgeOwners({ ...facts, open: ['/d', '/d/k'], foreign: ['/d/x'] });
  expect([foreign?.do, open?.do]).toEqual(['chown -R redoubt: /d/x', 'chmod go= /d /d/k']);
});

test('an older database is a warning, and a newer one an error', () => {
  expect([3, 4, 5].map((version) => summaryOf(judgeVersion('/d', version, 4)))).toEqual([
    ['warning database-older'],
    [],
    ['error database-newer'],
  ]);
});

test('the disk is full below the reserve, and a warning below a month at its current growth', () => {
  const reserveBytes = 0.1 * GB;
  const room = (freeBytes: number, growth?: Partial<Growth>) =>
    judgeRoom({
      directory: '/d',
      freeBytes,
      reserveBytes,
      growth: growth && { databaseBytes: GB, bytesADay: GB, days: 1, retentionDays: 90, ...growth },
    });
  expect(summaryOf(room(reserveBytes - 1))).toEqual(['error disk-full']);
  expect(room(reserveBytes)).toEqual([]);
  expect(summaryOf(room(30 * GB, {}))).toEqual(['warning disk-filling']);
  expect(room(30 * GB, {})[0]?.what).toContain(
    'enough for 29 days: up to 1000 MB a day are added to a database of 1000 MB',
  );
  expect(room(30.2 * GB, {})).toEqual([]);
  expect(room(GB, { bytesADay: 0 })).toEqual([]);
});

test('a database that deletes as fast as it adds does not grow', () => {
  const growth = { databaseBytes: GB, bytesADay: GB, days: 90, retentionDays: 90 };
  const facts = { directory: '/d', freeBytes: 2 * GB, reserveBytes: 0, growth };
  expect(judgeRoom(facts)).toEqual([]);
  expect(summaryOf(judgeRoom({ ...facts, growth: { ...growth, days: 80 } }))).toEqual([
    'warning disk-filling',
  ]);
});

test('a clock behind the data is an error after a day, and an unsynchronized one a warning', () => {
  const clock = (newest: number, isSynchronized?: boolean) =>
    summaryOf(judgeClock({ now: NOW, newest, isSynchronized }));
  expect(clock(NOW + DAY_MS + 1)).toEqual(['error clock-behind']);
  expect(clock(NOW + HOUR_MS + 1, true)).toEqual(['warning clock-behind']);
  expect(clock(NOW + HOUR_MS, false)).toEqual(['warning clock-not-synchronized']);
  expect([clock(0), clock(0, true)]).toEqual([[], []]);
  const future = { column: 'assessments.made_at', rows: 1, firstId: 7, lastId: 7 };
  const other = (newest: number) =>
    judgeClock({ now: NOW, newest: 0, future: [{ ...future, newest }], isSynchronized: true });
  expect([summaryOf(other(NOW + HOUR_MS + 1)), other(NOW + HOUR_MS)]).toEqual([['warning clock-behind'], []]);
});

test('too little memory of the host or of the unit is reported', () => {
  const MIB = 1024 * 1024;
  expect(summaryOf(judgeMemory(255 * MIB, unitWith({ MemoryMax: String(255 * MIB) })))).toEqual([
    'warning memory',
    'warning unit-memory',
  ]);
  for (const MemoryMax of ['infinity', '', '[not set]'])
    expect(judgeMemory(256 * MIB, unitWith({ MemoryMax }))).toEqual([]);
  expect(judgeMemory(undefined, undefined)).toEqual([]);
});

test('ports that the running server already has are not checked', () => {
  const config = loadConfig({ SERVICE_PORT: '8000', SERVICE_ADMIN_PORT: '8001' });
  const ports = (running?: object) => listeningsOf(config, running as never).map(({ port }) => port);
  const at = (SERVICE_HOST: string, SERVICE_PORT: number, SERVICE_ADMIN_PORT: number | string) =>
    ports({ SERVICE_HOST, SERVICE_PORT, SERVICE_ADMIN_HOST: '127.0.0.1', SERVICE_ADMIN_PORT });
  expect([ports(), at('127.0.0.1', 8000, 1)]).toEqual([[8000, 8001], [8001]]);
  expect([at('127.0.0.1', 8001, 8000), at('0.0.0.0', 8001, 'off'), at('::', 8000, 8001)]).toEqual([
    [],
    [8000],
    [],
  ]);
  expect([at('127.0.0.2', 8000, 'off'), at('127.0.0.2', 8001, 8000)]).toEqual([[8000, 8001], [8001]]);
  const wide = loadConfig({ SERVICE_HOST: '::', SERVICE_PORT: '8000', SERVICE_ADMIN_PORT: 'off' });
  const running = { SERVICE_HOST: '127.0.0.1', SERVICE_PORT: 8000 };
  expect(listeningsOf(wide, running as never)).toEqual([]);
  expect(listeningsOf(loadConfig({ SERVICE_PORT: '0', SERVICE_ADMIN_PORT: 'off' }), undefined)).toEqual([]);
});

test('a Unix socket is checked instead of a port', () => {
  const config = loadConfig({
    SERVICE_HOST: '/run/redoubt/http.sock',
    SERVICE_BASE_URL: 'https://a.example',
    SERVICE_PORT: '0',
    SERVICE_ADMIN_PORT: '8001',
  });
  const hosts = (running?: object) => listeningsOf(config, running as never).map(({ host }) => host);
  expect(hosts()).toEqual(['/run/redoubt/http.sock', '127.0.0.1']);
  expect(hosts({ SERVICE_HOST: '/run/redoubt/http.sock', SERVICE_PORT: 0 })).toEqual(['127.0.0.1']);
  expect(hosts({ SERVICE_HOST: '0.0.0.0', SERVICE_PORT: 0 })).toEqual([
    '/run/redoubt/http.sock',
    '127.0.0.1',
  ]);
  const [found] = judgePort({ setting: 'port', host: '/run/a', port: 80 }, 'EADDRINUSE', { hasUnit: true });
  expect([found?.id, found?.what, found?.do.includes('SERVICE_HOST')]).toEqual([
    'port-taken',
    'unix:/run/a is used by another program',
    true,
  ]);
});

test('a port with either loopback address in use is taken, and a socket with a listener as well', async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer().listen({ host, port: 0, exclusive: true });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const wanted of ['127.0.0.1', '::1', 'localhost'])
      expect(await whyNotFree({ setting: 'port', host: wanted, port })).toBe('EADDRINUSE');
    server.close();
    await once(server, 'close');
    expect(await whyNotFree({ setting: 'port', host, port })).toBeUndefined();
  }
  const path = join(temporaryDirectory(), 'a.sock');
  const isTaken = () => whyNotFree({ setting: 'port', host: path, port: 0 });
  expect(await isTaken()).toBeUndefined();
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(await isTaken()).toBe('EADDRINUSE');
  server.close();
  await once(server, 'close');
  writeFileSync(path, '');
  expect(await isTaken()).toBe('EADDRINUSE');
});

/** Listeners and connections in the format of Linux, proc(5). */
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000   960        0 12 1 0 100 0 0 10 0
   2: 0100007F:1F90 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000 65534        0 13 1 0 100 0 0 10 0
   3: 0A01A8C0:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 14 1 0 100 0 0 10 0
   4: 00000000:1F92 00000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 15 1 0 100 0 0 10 0
`;
const TCP6 = `   0: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000 65534        0 16 1 0 100 0 0 10 0
   1: 00000000000000000000000000000000:1F91 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 17 1 0 100 0 0 10 0
`;

test("another user's program on a port of the service is an impostor, at either loopback address", () => {
  const listeners = [...listenersIn(TCP), ...listenersIn(TCP6)];
  const found = (env: Record<string, string>) =>
    findImpostors(loadConfig(env), 960, listeners).map(({ host, port }) => `${host} ${port}`);
  expect(found({})).toEqual(['127.0.0.1 8081', '::1 8080']);
  expect(found({ SERVICE_ADMIN_PORT: 'off' })).toEqual(['::1 8080']);
  expect(found({ SERVICE_PORT: '8082', SERVICE_ADMIN_PORT: '8083' })).toEqual(['0.0.0.0 8082']);
  const sockets = {
    SERVICE_HOST: '/run/a',
    SERVICE_ADMIN_HOST: '/run/b',
    SERVICE_BASE_URL: 'http://a.example',
  };
  expect(found(sockets)).toEqual(['127.0.0.1 8081']);
  expect(judgeImpostor({ host: '::1', port: 8080, uid: 0 })).toEqual(
    failure(
      'port-impostor',
      'a program of root listens on [::1]:8080 and can receive requests meant for the service',
      expect.stringContaining('rotate the keys') as never,
    ),
  );
});

test('a socket folder in which others could listen is an error', () => {
  const folder = temporaryDirectory();
  const judge = (path: string) =>
    summaryOf(judgeSocketFolders(loadConfig({ SERVICE_ADMIN_HOST: path, SERVICE_PORT: '0' })));
  expect([judge(`${folder}/a.sock`), judge(`${folder}/missing/a.sock`)]).toEqual([[], []]);
  chmodSync(folder, 0o1777);
  expect(judge(`${folder}/a.sock`)).toEqual(['error socket-folder']);
});

test('a taken port is an error, because the service does not start without it', () => {
  const port = (setting: 'port' | 'adminPort', code: string, hasUnit = false) =>
    summaryOf(judgePort({ setting, host: '::1', port: 80 }, code, { hasUnit }));
  expect(port('port', 'EADDRINUSE')).toEqual(['error port-taken']);
  expect(port('adminPort', 'EADDRINUSE')).toEqual(['error port-taken']);
  expect(port('port', 'EACCES')).toEqual(['error port-taken']);
  expect(port('port', 'EADDRNOTAVAIL')).toEqual(['error port-taken']);
  expect(port('port', 'EACCES', true)).toEqual([]);
});

test('settings, their files and the age of certificates each have their finding', () => {
  const [startsAt, endsAt] = [NOW - 80 * DAY_MS, NOW + 10 * DAY_MS];
  const certificate = { cert: '', key: '', startsAt, endsAt };
  const settings = (now: number) =>
    summaryOf(
      judgeSettings({
        faults: [new ConfigRefused('SERVICE_PORT "x"'), new Fault('SERVICE_TLS_CERT: /x cannot be read')],
        unknown: ['SERVICE_PROT'],
        openProxies: ['SERVICE_TRUSTED_PROXIES'],
        certificate,
        adminCertificate: certificate,
        securityTxt: { textAt: () => '', expiresAt: endsAt },
        now,
      }),
    );
  const always = [
    'error setting-refused',
    'error setting-file',
    'warning setting-unknown',
    'warning proxies-everybody',
  ];
  expect(settings(startsAt)).toEqual(always);
  expect(settings(NOW)).toEqual([...always, 'warning certificate', 'warning admin-certificate']);
  expect(settings(endsAt)).toEqual([
    ...always,
    'error certificate',
    'warning admin-certificate',
    'warning security-txt',
  ]);
});

test('a public service without a security contact gets a finding', () => {
  const contact = (settings: Record<string, string>) => summaryOf(judgeContact(loadConfig(settings)));
  const url = { SERVICE_BASE_URL: 'https://redoubt.example' };
  expect(contact(url)).toEqual(['warning security-contact']);
  expect(contact({})).toEqual([]);
  expect(contact({ SERVICE_BASE_URL: 'http://[::1]:8080' })).toEqual([]);
  expect(contact({ ...url, SERVICE_SECURITY_CONTACT: 'security@redoubt.example' })).toEqual([]);
  expect(contact({ ...url, SERVICE_SECURITY_TXT: '/etc/redoubt/security.txt' })).toEqual([]);
});

test('each setting that a running server has not applied is reported with the step that applies it', () => {
  expect(judgeChanges({ reload: [], restart: [] })).toEqual([]);
  expect(summaryOf(judgeChanges({ reload: ['A'], restart: ['B'] }))).toEqual([
    'warning reload-needed',
    'warning restart-needed',
  ]);
});

test('old vulnerability data is reported with the names of its old sources', () => {
  const source = (name: string, hours: number) => ({
    name,
    format: 'osv',
    publishedAt: NOW - hours * HOUR_MS,
    importedAt: NOW,
  });
  const [finding] = judgeMirror([source('osv:npm', 200), source('osv:pypi', 1)], 168, NOW);
  expect(finding).toMatchObject({ id: 'mirror-stale', what: expect.stringMatching(/: osv:npm$/) });
  expect([judgeMirror([], 168, NOW), judgeMirror([source('osv:npm', 1)], 168, NOW)]).toEqual([[], []]);
});

test('payment events that cannot be settled are reported with their number', () => {
  expect(judgePayments({ events: 0, subjects: 0 })).toEqual([]);
  expect(judgePayments({ events: 3, subjects: 2 })[0]?.what).toStartWith('3 payment events, about 2');
});
