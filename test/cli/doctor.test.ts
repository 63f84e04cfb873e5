import { beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, chownSync, existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../src/lib/clock.ts';
import { controlPath } from '../../src/operator/control.ts';
import { databasePath, installationKeyPath } from '../../src/storage/engine/data-directory.ts';
import { prepareDatabase } from '../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { expire, tlsSettings } from '../support/certificate.ts';
import { type Env, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { hostWith } from '../support/unit.ts';

/** No unit is known here. */
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

/** The exit code of doctor, and its findings by their ids. */
async function doctor(settings: Env = {}) {
  const { exitCode, stdout, stderr } = await redoubt(settings, 'doctor', '--json');
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { findings: { id: string; what: string; do: string }[] };
  for (const finding of findings) expect(Object.keys(finding)).toEqual(['id', 'severity', 'what', 'do']);
  return [exitCode, ...findings.map(({ id }) => id)];
}

/** Makes an installation with a license, and changes its database. */
async function installed(statements = ''): Promise<void> {
  await redoubt({}, 'init');
  await redoubt({}, 'license', 'issue', '--plan', 'pro');
  const database = new DatabaseSync(databasePath(directory));
  database.exec(statements);
  database.close();
}

const keyPath = () => installationKeyPath(directory);

/** A port that nobody has. */
async function freePort(): Promise<string> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(server.port);
  await server.stop(true);
  return port;
}

/** Everything in the data directory, and when it was written to. */
const traces = () =>
  ['.', ...readdirSync(directory).sort()].map((name) => {
    const { mtimeMs, ctimeMs, size, mode, uid } = statSync(join(directory, name));
    return [name, mtimeMs, ctimeMs, size, mode, uid];
  });

test('nothing is wrong with a sound installation, and looking writes nothing', async () => {
  await installed();
  const before = traces();
  const { exitCode, stdout } = await redoubt({}, 'doctor');
  expect([exitCode, stdout]).toEqual([0, 'nothing is wrong\n']);
  expect(await doctor()).toEqual([0]);
  expect(traces()).toEqual(before);
});

test('a data directory that is not there is one finding, and is not made', async () => {
  rmSync(directory, { recursive: true });
  expect(await doctor()).toEqual([1, 'data-directory-missing']);
  expect(existsSync(directory)).toBe(false);
  const { stdout } = await redoubt({}, 'doctor');
  expect(stdout).toMatch(/^error data-directory-missing: there is no .*\n {2}make it with "redoubt init"/);
});

const LATEST = MIGRATIONS.length;
const FULL_DAY = `insert into daily_volumes values (date('now'), 1, 1, ${Number.MAX_SAFE_INTEGER})`;
const FAILING_EVENT =
  "insert into payment_events (id, type, kind, subject_id, received_at, attempts) values ('e', 't', 'checkout', 's', 1, 2)";
const LOST_SNAPSHOT = "insert into mirror (id, current, kept) values (1, '0123456789abcdef', '[]')";
const issuedIn = (days: number) => `update licenses set created_at = ${Date.now() + days * DAY_MS}`;
const older = () => {
  rmSync(databasePath(directory));
  prepareDatabase(databasePath(directory), MIGRATIONS.slice(0, -1));
};

test.each<[string, string | (() => void), (string | number)[]]>([
  ['a directory that others may read', () => chmodSync(directory, 0o755), [1, 'data-directory-open']],
  ['a key that others may read', () => chmodSync(keyPath(), 0o640), [1, 'data-directory-open']],
  ['a lost key', () => rmSync(keyPath()), [1, 'installation-key']],
  ['a damaged database', () => truncateSync(databasePath(directory), 3 * 4096), [1, 'database']],
  ['a lost database', () => rmSync(databasePath(directory)), [1, 'database-missing']],
  ['a newer database', `PRAGMA user_version = ${LATEST + 1}`, [1, 'database-newer']],
  ['an older database', older, [3, 'database-older']],
  ['a clock behind the data', issuedIn(2), [1, 'clock-behind']],
  ['no backup', issuedIn(-2), [3, 'backup']],
  ['vulnerability data that is not there', LOST_SNAPSHOT, [3, 'mirror-broken']],
  ['an event of a payment that fails', FAILING_EVENT, [3, 'payments-stuck']],
  ['a database that fills the disk', FULL_DAY, [3, 'disk-filling']],
])('%s is told, and left as it is', async (_, change, findings) => {
  await installed(typeof change === 'string' ? change : '');
  if (typeof change !== 'string') change();
  const before = traces();
  expect(await doctor()).toEqual(findings);
  expect(traces()).toEqual(before);
});

test('settings that are wrong are told, all of them, with the rest and without a secret', async () => {
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

test('a port that another program has is told', async () => {
  await installed();
  const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
  const port = String(taken.port);
  expect(await doctor({ SERVICE_PORT: port })).toEqual([1, 'port-taken']);
  expect(await doctor({ SERVICE_ADMIN_PORT: port })).toEqual([1, 'port-taken']);
  await taken.stop(true);
});

describe('beside a server', () => {
  test('nothing is wrong while it has the settings, its port is its own, and what it has not taken over is told', async () => {
    const service = await start('binary', { ...env, SERVICE_PORT: await freePort() });
    const own = { SERVICE_PORT: service.env.SERVICE_PORT as string };
    expect(await doctor(own)).toEqual([0]);
    const changed = { SERVICE_PORT: await freePort(), SERVICE_DAILY_CAP: '7' };
    expect(await doctor(changed)).toEqual([3, 'reload-needed', 'restart-needed']);
    await service.end();
  });

  test('one that does not tell its settings is told', async () => {
    await installed();
    const hanging = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => hanging.listen(controlPath(directory), resolve));
    chmodSync(controlPath(directory), 0o600);
    expect(await doctor()).toEqual([1, 'server-silent']);
    hanging.close();
  });
});

describe('of systemd', () => {
  const SHUT_IN = { IPAddressDeny: '0.0.0.0/0 ::/0', IPAddressAllow: '127.0.0.0/8 ::1/128' };
  const unitHere = (properties = {}, text = '', synchronized = 'yes') =>
    hostWith(
      { Environment: `SERVICE_DATA_DIR=${directory} SERVICE_DAILY_CAP=x`, ...properties },
      text,
      synchronized,
    );

  test('the settings, the state and the drop-ins of the unit are looked at, and the time server', async () => {
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

  test('a unit of another data directory is let be, and so is one that systemd does not know', async () => {
    await installed();
    expect(
      await doctor(hostWith({ ...SHUT_IN, Environment: 'SERVICE_DATA_DIR=/elsewhere', NRestarts: '2' })),
    ).toEqual([0]);
    expect(await doctor(unitHere({ LoadState: 'not-found', NRestarts: '2' }))).toEqual([0]);
  });
});

test.if(!needsRoot)(
  'root looks as the owner of the data, leaves nothing of its own there, and tells what is not the owner’s',
  async () => {
    await installed();
    for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), NOBODY, NOBODY);
    const secret = join(temporaryDirectory(), 'catalog.json');
    await Bun.write(secret, '{}');
    chmodSync(secret, 0o600);
    expect(await doctor()).toEqual([0]);
    expect(await doctor({ SERVICE_CATALOG_FILE: secret })).toEqual([1, 'setting-refused']);
    expect(traces().map(([, , , , , uid]) => uid)).toEqual(traces().map(() => NOBODY));
    chownSync(keyPath(), 0, 0);
    const [exitCode, id] = await doctor();
    expect([exitCode, id]).toEqual([1, 'data-directory-owner']);
  },
);
