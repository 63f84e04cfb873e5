import { beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../src/lib/clock.ts';
import { controlPath } from '../../src/operator/control.ts';
import { databasePath, installationKeyPath } from '../../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { makeSigningDirectory } from '../../src/storage/signing/signing-directory.ts';
import { expire, tlsSettings } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { type Build, type Env, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { hostWith, silentHost } from '../support/unit.ts';

/** No unit is installed here. */
const NO_UNIT = hostWith({ LoadState: 'not-found' });
const PORTS = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' };
const NOBODY = 65_534;
const needsRoot = process.getuid?.() !== 0;
if (needsRoot) console.warn('what doctor finds as root is not tested: it needs root');

let directory: string;
let env: Env;
beforeEach(() => {
  directory = temporaryDirectory();
  env = { ...NO_UNIT, ...PORTS, SERVICE_DATA_DIR: directory };
});
const redoubt = (settings: Env, ...words: string[]) => run('binary', { ...env, ...settings }, ...words);

/** The exit code of doctor, and its findings by id. */
async function doctor(settings: Env = {}, target: Build = 'binary') {
  const { exitCode, stdout, stderr } = await run(target, { ...env, ...settings }, 'doctor', '--json');
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { id: string; what: string; do: string }[] };
  for (const finding of findings) expect(Object.keys(finding)).toEqual(['id', 'severity', 'what', 'do']);
  return [exitCode, ...findings.map(({ id }) => id)];
}

/** Creates an installation with a license, and changes its database. */
async function installed(statements = ''): Promise<void> {
  await redoubt({}, 'init');
  await redoubt({}, 'license', 'issue', '--plan', 'pro');
  const database = new DatabaseSync(databasePath(directory));
  database.exec(statements);
  database.close();
}

const keyPath = () => installationKeyPath(directory);

/** Everything in the data directory, with modification times. */
const traces = () =>
  ['.', ...readdirSync(directory).sort()].map((name) => {
    const { mtimeMs, ctimeMs, size, mode, uid } = statSync(join(directory, name));
    return [name, mtimeMs, ctimeMs, size, mode, uid];
  });

test('a healthy installation has no findings, and checking it writes nothing', async () => {
  await installed();
  const before = traces();
  const { exitCode, stdout } = await redoubt({}, 'doctor');
  expect([exitCode, stdout]).toEqual([0, 'no problems found\n']);
  expect(await doctor()).toEqual([0]);
  expect(traces()).toEqual(before);
});

test('a missing data directory is one finding, and is not created', async () => {
  rmSync(directory, { recursive: true });
  expect(await doctor()).toEqual([1, 'data-directory-missing']);
  expect(existsSync(directory)).toBe(false);
  const { stdout } = await redoubt({}, 'doctor');
  expect(stdout).toMatch(
    /^error data-directory-missing: the data directory .* does not exist\n {2}create it with "redoubt init"/,
  );
});

const LATEST = MIGRATIONS.length;
const FULL_DAY = `insert into daily_volumes values (date('now'), 1, 1, ${Number.MAX_SAFE_INTEGER})`;
const FAILING_EVENT =
  "insert into payment_events (id, type, kind, subject_id, received_at, attempts) values ('e', 't', 'checkout', 's', 1, 2)";
const LOST_SNAPSHOT = "insert into mirror (id, current, kept) values (1, '0123456789abcdef', '[]')";
const issuedIn = (days: number) => `update licenses set created_at = ${Date.now() + days * DAY_MS}`;

const keyAsDirectory = () => {
  rmSync(keyPath());
  mkdirSync(keyPath(), { mode: 0o700 });
};
const rubbishToSignWith = () =>
  writeFileSync(join(makeSigningDirectory(directory), 'evidence.pem'), 'rubbish', { mode: 0o600 });
const pendingRestore = () => mkdirSync(join(directory, 'restore.ready'), { mode: 0o700 });

test.each<[string, string | (() => void), (string | number)[]]>([
  ['a directory readable by others', () => chmodSync(directory, 0o755), [1, 'data-directory-open']],
  ['a key readable by others', () => chmodSync(keyPath(), 0o640), [1, 'data-directory-open']],
  ['a lost key', () => rmSync(keyPath()), [1, 'installation-key']],
  ['a damaged database', () => truncateSync(databasePath(directory), 3 * 4096), [1, 'database']],
  ['a lost database', () => rmSync(databasePath(directory)), [1, 'database-missing']],
  ['a newer database', `PRAGMA user_version = ${LATEST + 1}`, [1, 'database-newer']],
  ['a clock behind the data', issuedIn(2), [1, 'clock-behind']],
  ['no backup', issuedIn(-2), [3, 'backup']],
  ['missing vulnerability data', LOST_SNAPSHOT, [3, 'mirror-broken']],
  ['a failed payment event', FAILING_EVENT, [3, 'payments-stuck']],
  ['a database that fills the disk', FULL_DAY, [3, 'disk-filling']],
  ['a database without tables', 'PRAGMA foreign_keys = 0; drop table licenses', [1, 'database']],
  ['a key that is a directory', keyAsDirectory, [1, 'installation-key']],
  ['an invalid signing key', rubbishToSignWith, [1, 'evidence-key']],
  ['an unfinished restore', pendingRestore, [3, 'restore-pending']],
])('%s is reported and not changed', async (_, change, findings) => {
  await installed(typeof change === 'string' ? change : '');
  if (typeof change !== 'string') change();
  const before = traces();
  expect(await doctor()).toEqual(findings);
  expect((await redoubt({}, 'doctor')).stdout).not.toMatch(/EISDIR|no such/);
  expect(traces()).toEqual(before);
});

test('an older database is reported and not changed', async () => {
  await installed();
  const before = traces();
  expect(await doctor({}, 'next')).toEqual([3, 'database-older']);
  expect(traces()).toEqual(before);
});

test('all wrong settings are reported, with the other findings and without secrets', async () => {
  await installed();
  chmodSync(directory, 0o755);
  const tls = tlsSettings();
  expire(tls);
  const wrong = {
    ...tls,
    SERVICE_DAILY_CAP: 'many',
    SERVICE_STRIPE_SECRET_KEY: 'sentinel',
    SERVICE_PROT: '1',
    SERVICE_CATALOG_FILE: join(directory, 'nothing'),
  };
  const findings = [
    'setting-refused',
    'setting-refused',
    'setting-refused',
    'setting-unknown',
    'certificate',
  ];
  expect(await doctor(wrong)).toEqual([1, 'data-directory-open', ...findings]);
  expect((await redoubt(wrong, 'doctor')).stdout).not.toContain('sentinel');
});

test('a port in use by another program is reported', async () => {
  await installed();
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(taken.port);
  expect(await doctor({ SERVICE_PORT: port })).toEqual([1, 'port-taken']);
  expect(await doctor({ SERVICE_ADMIN_PORT: port })).toEqual([1, 'port-taken']);
  await taken.stop(true);
});

describe('with a running server', () => {
  test('nothing is wrong while its settings are applied and its port is its own; unapplied ones are reported', async () => {
    // Its own process: the doctor compares its ports and its settings.
    const service = await start('binary', { ...env, SERVICE_PORT: `${await freePort()}` });
    const own = { SERVICE_PORT: service.env.SERVICE_PORT as string };
    expect(await doctor(own)).toEqual([0]);
    const changed = { SERVICE_PORT: `${await freePort()}`, SERVICE_DAILY_CAP: '7' };
    expect(await doctor(changed)).toEqual([3, 'reload-needed', 'restart-needed']);
    await service.end();
  });

  test('its own ports are not those of another program, in any order of the settings', async () => {
    const [first, second] = [`${await freePort()}`, `${await freePort()}`];
    const service = await start('binary', { ...env, SERVICE_PORT: first, SERVICE_ADMIN_PORT: second });
    const swapped = { SERVICE_PORT: second, SERVICE_ADMIN_PORT: first };
    expect(await doctor(swapped)).toEqual([3, 'restart-needed']);
    await service.end();
  });

  test('a server that does not report its settings is reported', async () => {
    await installed();
    const hanging = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => hanging.listen(controlPath(directory), resolve));
    chmodSync(controlPath(directory), 0o600);
    expect(await doctor()).toEqual([1, 'server-silent']);
    hanging.close();
  });
});

describe('with systemd', () => {
  const SHUT_IN = { IPAddressDeny: '0.0.0.0/0 ::/0', IPAddressAllow: '127.0.0.0/8 ::1/128' };
  const unitHere = (properties = {}, text = '', synchronized = 'yes') =>
    hostWith(
      { Environment: `SERVICE_DATA_DIR=${directory} SERVICE_DAILY_CAP=x`, ...properties },
      text,
      synchronized,
    );

  test('the settings, the state and the drop-ins of the unit are checked, and the time server', async () => {
    await installed();
    const { SERVICE_DATA_DIR: _, ...own } = env;
    const host = unitHere({ ...SHUT_IN, NRestarts: '2' }, '', 'no');
    const { stdout } = await run('binary', { ...own, ...host }, 'doctor', '--json');
    expect(JSON.parse(stdout).findings.map(({ id }: { id: string }) => id)).toEqual([
      'setting-refused',
      'clock-not-synchronized',
      'unit-restarted',
      'unit-lets-nothing-out',
    ]);
  });

  test('a unit of another data directory, or unknown to systemd, is ignored', async () => {
    await installed();
    expect(
      await doctor(hostWith({ ...SHUT_IN, Environment: 'SERVICE_DATA_DIR=/elsewhere', NRestarts: '2' })),
    ).toEqual([0]);
    expect(await doctor(unitHere({ LoadState: 'not-found', NRestarts: '2' }))).toEqual([0]);
  });

  test('settings in files that only systemd reads are reported, unless they are read here as well', async () => {
    await installed();
    const file = join(temporaryDirectory(), 'redoubt.env');
    writeFileSync(file, `SERVICE_DATA_DIR=${directory}\n`);
    const text = `[Service]\nEnvironmentFile=/nothing\nEnvironmentFile=-${file}\n`;
    const sound = (Environment: string) => hostWith({ Environment }, text);
    const own = `SERVICE_DATA_DIR=${directory}`;
    expect(await doctor(sound(own))).toEqual([3, 'environment-file']);
    expect(await doctor(sound(''))).toEqual([3, 'environment-file']);
    expect(await doctor(sound(`${own} SERVICE_CONFIG=${file}`))).toEqual([0]);
  });

  test.each(['sleep 60', 'yes'])('unusable output of systemd is reported: %s', async (instead) => {
    await installed();
    expect(await doctor(silentHost(instead))).toEqual([3, 'systemd-silent']);
  });
});

test.if(!needsRoot)(
  'root checks as the owner of the data, leaves no files there, and reports other owners',
  async () => {
    await installed();
    for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), NOBODY, NOBODY);
    expect(await doctor()).toEqual([0]);
    expect(traces().map(([, , , , , uid]) => uid)).toEqual(traces().map(() => NOBODY));
    chownSync(keyPath(), 0, 0);
    const [exitCode, id] = await doctor();
    expect([exitCode, id]).toEqual([1, 'data-directory-owner']);
  },
);

test.if(!needsRoot)(
  'root reads settings as a start would: as root, or as the owner where a unit starts it',
  async () => {
    await installed();
    chownSync(directory, NOBODY, NOBODY);
    const secret = join(temporaryDirectory(), 'key');
    writeFileSync(secret, 'sentinel', { mode: 0o600 });
    const settings = { SERVICE_AI_KEY_FILE: secret };
    const unit = hostWith({ Environment: `SERVICE_DATA_DIR=${directory}` });
    const refused = async (host: Env) => (await doctor({ ...settings, ...host })).includes('setting-refused');
    expect([await refused(NO_UNIT), await refused(unit)]).toEqual([false, true]);
    const check = async (host: Env) => (await redoubt({ ...settings, ...host }, 'config', 'check')).exitCode;
    expect([await check(NO_UNIT), await check(unit)]).toEqual([0, 2]);
  },
);

test.if(!needsRoot)(
  'where root cannot become the owner, that is reported together with wrong settings',
  async () => {
    await installed();
    chownSync(directory, NOBODY, 0);
    const wrong = { SERVICE_DAILY_CAP: 'many' };
    const told = ['data-directory-owner', 'setting-refused'];
    expect(await doctor(wrong)).toEqual([1, ...told]);
    const { exitCode, stdout } = await redoubt(wrong, 'config', 'check', '--json');
    const { findings, changes, server } = JSON.parse(stdout);
    expect([exitCode, findings.map(({ id }: { id: string }) => id)]).toEqual([2, told]);
    expect([changes, server]).toEqual([null, null]);
  },
);
