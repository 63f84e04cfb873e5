import { expect, test } from 'bun:test';
import { Fault } from '../../src/lib/fault.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { serverAddress } from '../../src/settings/limits-address.ts';

test('a host is reached over TLS when the URL requires it, and its certificate is verified', () => {
  expect(serverAddress('rediss://ann:s%2Fcret@limits.example.com/3')).toEqual({
    at: { host: 'limits.example.com', port: 6379 },
    user: 'ann',
    password: 's/cret',
    db: 3,
    tls: { rejectUnauthorized: true },
    isInClear: false,
  });
  expect(serverAddress('rediss://10.0.0.7:6380', 'PEM')).toEqual({
    at: { host: '10.0.0.7', port: 6380 },
    db: 0,
    tls: { ca: 'PEM', rejectUnauthorized: true },
    isInClear: false,
  });
});

test.each([
  ['redis://:word@10.0.0.7:6379', true],
  ['redis://limits.internal/1', true],
  ['redis://127.0.0.1', false],
  ['redis://localhost:7000', false],
  ['redis://[::1]', false],
  ['rediss://limits.internal', false],
  ['unix:///run/valkey/valkey.sock', false],
])('whether %s allows others to listen: %p', (url, isInClear) => {
  expect(serverAddress(url)).toMatchObject({ isInClear });
});

test('a Unix socket is named by its path, followed by user and database', () => {
  expect(serverAddress('unix:///run/valkey/a%20b.sock')).toEqual({
    at: { path: '/run/valkey/a b.sock' },
    db: 0,
    isInClear: false,
  });
  expect(serverAddress('unix:///run/valkey.sock?db=2&user=ann&password=s%2Fc')).toMatchObject({
    user: 'ann',
    password: 's/c',
    db: 2,
  });
});

test.each([
  'secret',
  'http://ann:secret@host',
  'redis://',
  'redis://ann@host',
  'redis://ann:secret@host:x',
  'redis://ann:secret@host:99999',
  'redis://ann:secret@host/name',
  'redis://ann:secret@host/1/2',
  'redis://ann:secret@host?db=1',
  'redis://ann:secret@host#1',
  'redis://ann:secret%zz@host',
  'unix://host/secret',
  'unix:///',
  'unix:///run/',
  'unix:///run/secret?tls=0',
  'unix:///run/secret?user=ann',
  'unix:///run/secret?db=x',
])('%s is refused in one sentence, which does not repeat it', (url) => {
  const refused = () => serverAddress(url);
  expect(refused).toThrow(Fault);
  expect(refused).toThrow(/^SERVICE_LIMITS_URL is malformed: .*. Use redis:/);
  expect(refused).not.toThrow(/secret|ann/);
});

test.each(['redis://127.0.0.1', 'unix:///run/valkey.sock'])(
  'certificates require TLS, which %s lacks',
  (url) => {
    expect(() => serverAddress(url, 'PEM')).toThrow(/^SERVICE_LIMITS_CA requires /);
  },
);

test('a server for the limits of only one process is refused', () => {
  const SERVICE_LIMITS_URL = 'redis://:secret@127.0.0.1';
  expect(() => loadConfig({ SERVICE_LIMITS_URL })).toThrow(
    /^SERVICE_LIMITS_URL requires SERVICE_DATABASE_URL/,
  );
  const SERVICE_DATABASE_URL = 'postgres:///redoubt?host=/run/postgresql';
  expect(loadConfig({ SERVICE_LIMITS_URL, SERVICE_DATABASE_URL }).limitsUrl).toBe(SERVICE_LIMITS_URL);
});
