import { expect, test } from 'bun:test';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCredentials, namedCredentials } from '../../../src/operator/doctor/credentials.ts';
import { isShutIn, judgeDropIns } from '../../../src/operator/doctor/drop-ins.ts';
import type { Finding } from '../../../src/operator/doctor/finding.ts';
import { environmentOf, judgeUnit, type Unit } from '../../../src/operator/doctor/unit.ts';
import { readUnitCredentials } from '../../../src/operator/unit-credentials.ts';
import { loadConfig } from '../../../src/settings/config.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { unitWith } from '../../support/unit.ts';

const told = (findings: readonly Finding[]) => findings.map(({ severity, id }) => `${severity} ${id}`);
const SHUT_IN = { IPAddressDeny: '::/0 0.0.0.0/0', IPAddressAllow: '127.0.0.0/8 ::1/128' };

test.each<[Unit['properties'], string[]]>([
  [{}, []],
  [{ ActiveState: 'failed', Result: 'exit-code' }, ['error unit-failed']],
  [{ ActiveState: 'activating', SubState: 'auto-restart', NRestarts: '9' }, ['error unit-failed']],
  [{ ActiveState: 'activating', SubState: 'start' }, []],
  [{ ActiveState: 'inactive', SubState: 'dead' }, ['warning unit-stopped']],
  [{ NRestarts: '1' }, ['warning unit-restarted']],
  [{ WatchdogUSec: '0' }, ['warning watchdog-off']],
  [{ WatchdogUSec: 'infinity' }, ['warning watchdog-off']],
  [{ NeedDaemonReload: 'yes' }, ['warning unit-changed']],
])('a unit with %j is reported as %j', (properties, findings) => {
  expect(told(judgeUnit(unitWith(properties)))).toEqual(findings);
});

test('an end by the watchdog is reported as one, and a replaced executable as a required restart', () => {
  const [ended] = judgeUnit(unitWith({ ActiveState: 'failed', Result: 'watchdog' }));
  expect(ended?.what).toContain('stopped');
  expect(told(judgeUnit({ ...unitWith(), isReplaced: true }))).toEqual(['warning restart-for-executable']);
});

test.each([
  [SHUT_IN, true],
  [{ IPAddressDeny: 'any', IPAddressAllow: 'localhost' }, true],
  [{ IPAddressDeny: 'any', IPAddressAllow: '' }, true],
  [{ ...SHUT_IN, IPAddressAllow: '127.0.0.0/8 192.0.2.0/24' }, false],
  [{ ...SHUT_IN, IPAddressAllow: '0.0.0.0/0 ::/0' }, false],
  [{ IPAddressDeny: '198.51.100.0/24', IPAddressAllow: '' }, false],
  [{ IPAddressDeny: '', IPAddressAllow: '' }, false],
])('whether %j blocks all connections in and out is %p', (properties, isSo) => {
  expect(isShutIn(unitWith(properties))).toBe(isSo);
});

const NO_SCANS = { SERVICE_SURFACE_SCANS: '0' };
const LIMITS = { ...NO_SCANS, SERVICE_DATABASE_URL: 'postgres://u@127.0.0.1/d' };
const AI = { ...NO_SCANS, SERVICE_AI_MODEL: 'm' };
const TLS = { SERVICE_ADMIN_TLS_CERT: '/c', SERVICE_ADMIN_TLS_KEY: '/k' };
test.each<[Record<string, string>, string[]]>([
  [NO_SCANS, []],
  [{}, ['warning unit-lets-nothing-out']],
  [{ ...NO_SCANS, SERVICE_HOST: '0.0.0.0' }, ['error unit-lets-nobody-in']],
  [{ ...NO_SCANS, SERVICE_ADMIN_HOST: '192.0.2.1', ...TLS }, ['error unit-lets-nobody-in']],
  [{ ...NO_SCANS, SERVICE_STRIPE_SECRET_KEY: 'sk_test_a' }, ['error unit-lets-nothing-out']],
  [{ ...AI, SERVICE_AI_URL: 'http://192.0.2.1/v1' }, ['warning unit-lets-nothing-out']],
  [{ ...AI, SERVICE_AI_URL: 'http://[::1]:1/v1' }, []],
  [{ ...AI, SERVICE_AI_URL: 'http://localhost:1/v1' }, []],
  [{ ...NO_SCANS, SERVICE_DATABASE_URL: 'postgres://u@192.0.2.1/d' }, ['error unit-lets-nothing-out']],
  [{ ...NO_SCANS, SERVICE_DATABASE_URL: 'postgres:///d?host=/run/postgresql' }, []],
  [{ ...LIMITS, SERVICE_LIMITS_URL: 'rediss://limits.example.com' }, ['warning unit-lets-nothing-out']],
  [{ ...LIMITS, SERVICE_LIMITS_URL: 'unix:///run/valkey.sock' }, []],
  [{ ...NO_SCANS, SERVICE_SMTP_HOST: 'mail.example.com' }, ['warning unit-lets-nothing-out']],
  [{ ...NO_SCANS, SERVICE_SMTP_HOST: '127.0.0.1' }, []],
])('blocked connections that %j needs are reported as %j', (environment, findings) => {
  const config = loadConfig(environment);
  expect(told(judgeDropIns(unitWith(SHUT_IN), config, 1024))).toEqual(findings);
  expect(judgeDropIns(unitWith(), config, 1024)).toEqual([]);
});

test('a low port requires a capability outside a user namespace, unless the service runs as root or the port is unprivileged', () => {
  const config = loadConfig({ SERVICE_PORT: '443' });
  const mayNot = (properties: Unit['properties'], firstFree = 1024) =>
    told(judgeDropIns(unitWith(properties), config, firstFree));
  const capability = { AmbientCapabilities: 'cap_net_bind_service' };
  expect([mayNot({}), mayNot(capability)]).toEqual([['error unit-port'], ['error unit-port']]);
  expect([mayNot({ ...capability, PrivateUsers: 'no' }), mayNot({ User: '' }), mayNot({}, 80)]).toEqual([
    [],
    [],
    [],
  ]);
});

test('a limit of open files too low for the connections is reported', () => {
  const config = loadConfig({ SERVICE_CONNECTIONS: '1000' });
  const files = (LimitNOFILE: string) => told(judgeDropIns(unitWith({ LimitNOFILE }), config, 1024));
  const limits = ['1127', '1128', 'infinity', '', '[not set]'];
  expect(limits.map(files)).toEqual([['warning unit-open-files'], [], [], [], []]);
});

test('the settings of a unit are read as systemd shows them', () => {
  const unit = unitWith({
    Environment: 'LANG=C SERVICE_PORT=1 "SERVICE_HOST=a b" "SERVICE_X=a\\"b" SERVICE_Y=a=b',
  });
  expect(environmentOf(unit)).toEqual({
    SERVICE_PORT: '1',
    SERVICE_HOST: 'a b',
    SERVICE_X: 'a"b',
    SERVICE_Y: 'a=b',
  });
});

test('credentials named by settings are reported unless they are delivered', () => {
  const path = (name: string, unit = 'redoubt') => `/run/credentials/${unit}.service/${name}`;
  const named = namedCredentials({
    SERVICE_TLS_CERT: path('here'),
    SERVICE_TLS_KEY: path('gone'),
    SERVICE_AI_KEY_FILE: path('nowhere'),
    SERVICE_SIGNING_KEY_FILE: path('sealed'),
    SERVICE_STRIPE_SECRET_KEY_FILE: path('here', 'other'),
    SERVICE_CATALOG_FILE: '/etc/catalog.json',
    OTHER: path('other'),
  });
  const unit = unitWith(
    {},
    'LoadCredential=here\nLoadCredential=gone:/x\nLoadCredentialEncrypted=sealed:/y\n',
  );
  const judged = (isRoot: boolean) =>
    told(judgeCredentials({ unit, named, handed: { here: 'secret' }, isRoot }));
  const [loaded, other] = ['error credential-not-loaded', 'error credential-of-other-unit'];
  const unread = 'warning credential-unread';
  expect(judged(true)).toEqual(['error credential-missing', loaded, unread, other]);
  expect(judged(false)).toEqual([unread, loaded, unread, other]);
  const findings = judgeCredentials({ unit, named, handed: { here: 'secret' }, isRoot: true });
  expect(JSON.stringify(findings)).not.toContain('secret');
});

test('lines of credentials are read as systemd reads them', () => {
  const path = (name: string) => `/run/credentials/redoubt.service/${name}`;
  const named = namedCredentials({
    SERVICE_TLS_CERT: path('blank'),
    SERVICE_TLS_KEY: path('known'),
    SERVICE_AI_KEY_FILE: path('wide'),
    SERVICE_SIGNING_KEY_FILE: path('sealed'),
  });
  const text =
    'LoadCredential=blank: /x\nLoadCredential=known:%d/x\n  LoadCredential = wide:/x \nSetCredential= sealed :x\n';
  const judged = judgeCredentials({ unit: unitWith({}, text), named, handed: {}, isRoot: true });
  const [loaded, missing] = ['error credential-not-loaded', 'error credential-missing'];
  // A blank after the colon makes the path empty; one before it is part of the name.
  expect(told(judged)).toEqual([loaded, 'warning credential-unread', missing, loaded]);
});

test('readable credentials are read, regardless of problems with others', () => {
  const directory = temporaryDirectory();
  const [loop, good] = [join(directory, 'loop'), join(directory, 'good')];
  symlinkSync(loop, loop);
  writeFileSync(good, 'secret');
  expect(readUnitCredentials(`LoadCredential=a:${loop}\nLoadCredential=b:${good}\n`)).toEqual({
    b: 'secret',
  });
});
