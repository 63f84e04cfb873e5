import { beforeEach, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tlsSettings } from '../support/certificate.ts';
import { type Env, run, SURE } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

let env: Env;
beforeEach(async () => {
  env = { SERVICE_DATA_DIR: temporaryDirectory(), SUDO_USER: 'alice' };
  await run('binary', env, 'init');
});

const HOOK = 'https://hooks.example.com/services/zz-path';
const notify = (...words: string[]) => run('binary', env, 'notify', ...words);
const jsonOf = async (...words: string[]) => {
  const { exitCode, stdout, stderr } = await notify(...words, '--json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};
const kept = async () => [await jsonOf('list'), (await run('binary', env, 'audit', '--json')).stdout];

test('a target is added with all its options, listed and shown', async () => {
  await run('binary', env, 'license', 'issue', '--plan', 'pro');
  const { SERVICE_TLS_CERT: ca } = tlsSettings();
  const options = [
    ...['--event', 'audit', '--event', 'alert.opened', '--min-severity', 'high', '--digest', '2h'],
    ...[
      '--license',
      'lic_1',
      '--customer',
      'Example Ltd',
      '--format',
      'ecs',
      '--ca',
      ca,
      '--include-personal',
    ],
  ];
  const added = await jsonOf('add', 'siem', 'syslog+tls://siem.example.com', ...options);
  expect(added).toMatchObject({
    name: 'siem',
    kind: 'syslog',
    address: 'syslog+tls://siem.example.com:6514',
    format: 'ecs',
    events: ['alert.opened', 'audit'],
    min_severity: 'high',
    digest_minutes: 120,
    license_ids: ['lic_1'],
    customers: ['Example Ltd'],
    include_personal: true,
    has_ca: true,
    secret: null,
  });
  const { secret: _, ...shown } = added;
  expect(await jsonOf('list')).toEqual([shown]);
  expect(await jsonOf('show', 'siem')).toEqual(shown);
  expect(await jsonOf('list', '--license', 'lic_1')).toEqual([]);
});

test('a secret is printed once, and the data directory has neither it nor its rotated one in clear', async () => {
  const first = await notify('add', 'hook', HOOK);
  const rotated = await notify('rotate', 'hook');
  const secrets = [first, rotated].map(({ stdout }) => /whsec_\S+/.exec(stdout)?.[0] ?? '');
  expect(new Set(secrets).size).toBe(2);
  const directory = env.SERVICE_DATA_DIR as string;
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  for (const secret of secrets)
    for (const text of [...files, JSON.stringify(await kept())])
      expect(text).not.toContain(secret.slice(6, 30));
});

const noCertificate = () => {
  const path = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(path, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  return path;
};

test.each<[string, number, () => string[]]>([
  ['a name on two lines', 2, () => ['add', 'two\r\nlines', HOOK]],
  ['an address on two lines', 1, () => ['add', 'a', `${HOOK}\r\nX: y`]],
  ['no address', 2, () => ['add', 'a', '']],
  ['an unknown event', 2, () => ['add', 'a', HOOK, '--event', 'alert.*']],
  ['an unknown severity', 2, () => ['add', 'a', HOOK, '--min-severity', 'worst']],
  ['a digest without a unit', 2, () => ['add', 'a', HOOK, '--digest', '15']],
  ['a digest of weeks', 2, () => ['add', 'a', HOOK, '--digest', '8d']],
  ['a license that is none', 2, () => ['add', 'a', HOOK, '--license', 'x']],
  ['an unknown license', 1, () => ['add', 'a', HOOK, '--license', 'lic_77']],
  ['a customer on two lines', 2, () => ['add', 'a', HOOK, '--customer', 'a\nb']],
  ['a format of another kind', 1, () => ['add', 'a', HOOK, '--format', 'cef']],
  ['a file of certificates that is missing', 2, () => ['add', 'a', HOOK, '--ca', '/nothing']],
  ['certificates that are none', 2, () => ['add', 'a', HOOK, '--ca', noCertificate()]],
  ['plain http', 1, () => ['add', 'a', 'http://10.0.0.1/']],
  [
    'a replay of everything and of one',
    1,
    () => ['replay', 'hook', '--since', '2026-11-01', '--event', 'evt_1'],
  ],
  ['a replay of an unknown event', 1, () => ['replay', 'hook', '--event', 'evt_none']],
  ['a replay of nothing', 1, () => ['replay', 'hook']],
  ['a replay of the future', 1, () => ['replay', 'hook', '--since', '2999-01-01']],
  ['a removal without approval', 2, () => ['remove', 'hook']],
  ['an unknown target', 1, () => ['pause', 'nothing']],
])('%s ends with exit code %d, a sentence, and nothing stored', async (_, code, words) => {
  await notify('add', 'hook', HOOK);
  const before = await kept();
  const { exitCode, stdout, stderr } = await notify(...words());
  expect([exitCode, stdout]).toEqual([code, '']);
  expect(stderr).toMatch(/\w/);
  expect(stderr).not.toContain('    at ');
  expect(await kept()).toEqual(before);
});

test('plain http is accepted where private networks are allowed', async () => {
  const allowing = { ...env, SERVICE_NOTIFY_ALLOW_PRIVATE: '1' };
  const { exitCode } = await run('binary', allowing, 'notify', 'add', 'lan', 'http://10.0.0.1/');
  expect(exitCode).toBe(0);
});

test('a test that is not delivered says why and ends with exit code 3, and is in the audit log', async () => {
  await notify('add', 'hook', 'https://hooks.invalid/');
  const { exitCode, stdout, stderr } = await notify('test', 'hook', '--reason', 'a try');
  expect([exitCode, stderr]).toEqual([3, '']);
  expect(stdout).toMatch(/^Not delivered\. .+\.\n$/);
  expect((await run('binary', env, 'audit', '--json')).stdout).toContain('"notification.test"');
});

test('pausing, resuming and removing report the state, and a removed name can be used again', async () => {
  await notify('add', 'hook', HOOK);
  expect((await notify('pause', 'hook')).stdout).toBe('hook: paused (operator)\n');
  expect((await notify('resume', 'hook')).stdout).toBe('hook: active\n');
  expect(await jsonOf('deliveries', 'hook')).toEqual([]);
  expect((await notify('remove', 'hook', ...SURE)).stdout).toBe('hook is removed.\n');
  expect(await jsonOf('list')).toEqual([]);
  expect((await notify('add', 'hook', HOOK)).exitCode).toBe(0);
});
