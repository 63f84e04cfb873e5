import { beforeEach, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { controlPath } from '../../src/operator/control.ts';
import type { Finding } from '../../src/operator/doctor/finding.ts';
import { type Env, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { hostWith } from '../support/unit.ts';

let directory: string;
let env: Env;
beforeEach(() => {
  directory = temporaryDirectory();
  env = { ...hostWith({ LoadState: 'not-found' }), SERVICE_DATA_DIR: join(directory, 'data') };
});

/** Writes a file there. */
function file(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}
async function check(settings: Env, ...words: string[]) {
  const { exitCode, stdout } = await run(
    'binary',
    { ...env, ...settings },
    'config',
    'check',
    '--json',
    ...words,
  );
  const { findings, changes, server } = JSON.parse(stdout) as {
    findings: Finding[];
    changes: object | null;
    server: string | null;
  };
  return { exitCode, stdout, changes, server, findings: findings.map(({ id, what }) => `${id}: ${what}`) };
}

test('valid settings need no server and no data directory, and create neither', async () => {
  const { exitCode, stdout } = await run('binary', env, 'config', 'check');
  expect([exitCode, stdout]).toEqual([0, 'the settings are valid, and their files are readable\n']);
  expect(await check({})).toMatchObject({ exitCode: 0, findings: [], changes: null, server: 'none' });
  expect(await Bun.file(join(directory, 'data')).exists()).toBe(false);
});

test('all problems are reported together, without secrets', async () => {
  const path = file(
    'all.env',
    'SERVICE_PORT=x\nSERVICE_METRICS_ALLOW=1.2.3.400\nSERVICE_PROT=1\nSERVICE_STRIPE_SECRET_KEY=sentinel\nSERVICE_CATALOG_FILE=/nothing\n',
  );
  const { exitCode, findings, stdout } = await check({}, path);
  expect([exitCode, findings]).toEqual([
    2,
    [
      'setting-refused: SERVICE_PORT "x": must be a whole number from 0 to 65535',
      'setting-refused: SERVICE_METRICS_ALLOW: "1.2.3.400" is not an address or CIDR range',
      'setting-refused: SERVICE_STRIPE_SECRET_KEY: must be a key such as sk_test_... or rk_live_...',
      'setting-refused: SERVICE_CATALOG_FILE: /nothing: cannot be read: no such file or directory. Check its path',
      'setting-unknown: unknown setting SERVICE_PROT is ignored',
    ],
  ]);
  expect(stdout).not.toContain('sentinel');
});

test('an unknown setting alone gives exit code 2, and so does one pair that does not fit', async () => {
  expect(await check({ SERVICE_PROT: '1' })).toMatchObject({ exitCode: 2 });
  expect(await check({ SERVICE_AI_MODEL: 'm', SERVICE_TLS_CERT: '/c' })).toMatchObject({
    exitCode: 2,
    findings: [
      expect.stringContaining('SERVICE_TLS_CERT and'),
      expect.stringContaining('SERVICE_AI_URL and'),
    ],
  });
});

test('a file replaces SERVICE_CONFIG, and the environment overrides both', async () => {
  const [wrong, right] = [file('wrong.env', 'SERVICE_PORT=x\n'), file('right.env', '')];
  expect(await check({ SERVICE_CONFIG: wrong })).toMatchObject({ exitCode: 2 });
  expect(await check({ SERVICE_CONFIG: wrong }, right)).toMatchObject({ exitCode: 0 });
  expect(await check({ SERVICE_PORT: '1' }, wrong)).toMatchObject({ exitCode: 0 });
  expect(await check({}, join(directory, 'none.env'))).toMatchObject({
    exitCode: 2,
    findings: [
      expect.stringMatching(/SERVICE_CONFIG: cannot read .*: no such file or directory. Check its path$/),
    ],
  });
});

test('warnings alone give exit code 3', async () => {
  const expired = file(
    'security.txt',
    'Contact: mailto:security@example.com\nExpires: 2020-01-01T00:00:00Z\n',
  );
  expect(await check({ SERVICE_SECURITY_TXT: expired })).toMatchObject({
    exitCode: 3,
    findings: [expect.stringContaining('security-txt')],
  });
});

test('settings that a reload would apply are named; of secrets only whether they are set', async () => {
  // Its own process: its settings are compared with changed ones.
  const service = await start('binary', { ...env, SERVICE_AI_KEY: 'sentinel-1', SERVICE_DAILY_CAP: '7' });
  const same = await check(service.env);
  expect(same).toMatchObject({ exitCode: 0, changes: { reload: [], restart: [] }, server: 'compared' });
  expect((await run('binary', service.env, 'config', 'check')).stdout).toContain(
    'changed secrets and changed contents of files are not compared',
  );
  const path = file('next.env', 'SERVICE_SIGNING_KEY=\nSERVICE_HSTS_SECONDS=1\n');
  const next = { SERVICE_DAILY_CAP: '8', SERVICE_HOST: '127.0.0.2', SERVICE_AI_KEY: 'sentinel-2' };
  expect((await check({ ...service.env, ...next }, path)).changes).toEqual({
    reload: ['SERVICE_HSTS_SECONDS', 'SERVICE_DAILY_CAP'],
    restart: ['SERVICE_HOST'],
  });
  const { SERVICE_AI_KEY: _, ...without } = service.env;
  const { changes, stdout } = await check(without);
  expect([changes, stdout.includes('sentinel')]).toEqual([
    { reload: ['SERVICE_AI_KEY'], restart: [] },
    false,
  ]);
  const words = await run('binary', { ...service.env, ...next }, 'config', 'check');
  expect(words.stdout).toEndWith(
    'a reload would apply SERVICE_DAILY_CAP\na restart is required for SERVICE_HOST\n',
  );
  await service.end();
});

test('a server that does not answer, so that nothing could be compared, is reported', async () => {
  const data = temporaryDirectory();
  const hanging = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => hanging.listen(controlPath(data), resolve));
  const settings = { SERVICE_DATA_DIR: data };
  expect(await check(settings)).toMatchObject({ exitCode: 0, changes: null, server: 'silent' });
  const { stdout } = await run('binary', { ...env, ...settings }, 'config', 'check');
  expect(stdout).toContain('could not be compared');
  hanging.close();
});

test("credentials are read from the unit's directory, and their absence is reported", async () => {
  const data = temporaryDirectory();
  const key = file('stripe', 'sk_test_sentinel');
  chmodSync(directory, 0o700);
  const named = (name: string) => `/run/credentials/redoubt.service/${name}`;
  const host = hostWith(
    { Environment: `SERVICE_DATA_DIR=${data}` },
    `[Service]\nLoadCredential=stripe:${key}\n`,
  );
  const settings = { ...host, SERVICE_DATA_DIR: data };
  expect(await check({ ...settings, SERVICE_STRIPE_SECRET_KEY_FILE: named('stripe') })).toMatchObject({
    exitCode: 0,
    findings: [],
  });
  expect(await check({ ...settings, SERVICE_STRIPE_SECRET_KEY_FILE: named('other') })).toMatchObject({
    exitCode: 2,
    findings: [expect.stringContaining('credential-not-loaded')],
  });
});
