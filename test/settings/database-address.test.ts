import { expect, test } from 'bun:test';
import { Fault } from '../../src/lib/fault.ts';
import { postgresAddress } from '../../src/settings/database-address.ts';

const OURS = { application_name: 'redoubt' } as const;

test('a remote host is reached over TLS only, and its certificate is verified', () => {
  expect(postgresAddress('postgres://ann:s%2Fcret@db.example.com/redoubt')).toEqual({
    ...OURS,
    host: 'db.example.com',
    port: 5432,
    user: 'ann',
    password: 's/cret',
    database: 'redoubt',
    ssl: { rejectUnauthorized: true },
  });
  expect(postgresAddress('postgresql://ann@10.0.0.7:6432/redoubt', 'PEM')).toMatchObject({
    host: '10.0.0.7',
    port: 6432,
    ssl: { ca: 'PEM', rejectUnauthorized: true },
  });
});

test.each([
  ['postgres://ann@localhost/redoubt', 'localhost'],
  ['postgres://ann@127.0.0.2/redoubt', '127.0.0.2'],
  ['postgres://ann@[::1]/redoubt', '::1'],
  ['postgres:///redoubt?host=/run/postgresql', '/run/postgresql'],
  ['postgres://ann@ignored/redoubt?host=/run/postgresql', '/run/postgresql'],
  ['postgres:///redoubt?host=/run/postgresql&user=ann', '/run/postgresql'],
])('%s is on this host and needs no TLS, unless certificates are configured', (url, host) => {
  expect(postgresAddress(url)).toMatchObject({ host, ssl: false });
  expect(postgresAddress(url, 'PEM')).toMatchObject({ host, ssl: { rejectUnauthorized: true } });
});

test.each([
  'secret',
  'mysql://ann:secret@host/db',
  'postgres://ann:secret@host',
  'postgres://ann:secret@host/',
  'postgres://ann:secret@host/a/b',
  'postgres://ann:secret@host:x/db',
  'postgres://ann:secret@host:99999/db',
  'postgres:///db',
  'postgres:///db?host=relative',
  'postgres://ann:secret@host/db?sslmode=disable',
  'postgres://ann:secret%zz@host/db',
])('%s is refused in one sentence, which does not repeat it', (url) => {
  const refused = () => postgresAddress(url);
  expect(refused).toThrow(Fault);
  expect(refused).toThrow(/^SERVICE_DATABASE_URL is malformed: .*. Use postgres:/);
  expect(refused).not.toThrow(/secret/);
});
