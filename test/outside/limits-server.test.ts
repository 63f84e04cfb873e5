import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createSharedDraws } from '../../src/lib/shared-draws.ts';
import { connectLimitsServer, type LimitsServer } from '../../src/outside/limits-server.ts';
import { serverAddress } from '../../src/settings/limits-address.ts';
import { freePort } from '../support/free-port.ts';
import { grantedIn, newLicense, testLimitKeeper } from '../support/limit-keeper.ts';
import { until } from '../support/service.ts';
import { isValkeyThere, startValkey, type Valkey } from '../support/valkey.ts';

const PREFIX = 'redoubt:test';
let licenseId = newLicense();
const wanted = (capacity: number, count: number) => ({ bucket: 'key', capacity, licenseId, units: 1, count });

const connected: LimitsServer[] = [];
const connect = async (url: string, ca?: string): Promise<LimitsServer> => {
  const server = await connectLimitsServer(serverAddress(url, ca), PREFIX);
  connected.push(server);
  return server;
};
afterEach(() => {
  for (const server of connected.splice(0)) server.close();
});
const reasonOf = async (server: LimitsServer): Promise<string> =>
  server.ask([]).then(
    () => 'none',
    (error: Error) => error.message,
  );

describe.skipIf(!isValkeyThere)('buckets of several nodes on one server', () => {
  let valkey: Valkey;
  let nodes: LimitsServer[];
  let eye: Redis;
  beforeAll(async () => {
    valkey = await startValkey();
    const address = serverAddress(`unix://${valkey.socket}`);
    nodes = await Promise.all([1, 2, 3].map(() => connectLimitsServer(address, PREFIX)));
    eye = new Redis(valkey.socket);
  });
  afterAll(async () => {
    for (const node of nodes) node.close();
    eye.disconnect();
    await valkey.stop();
  });
  const ask: LimitsServer['ask'] = (draws) => nodes[0]?.ask(draws) ?? Promise.resolve([]);

  testLimitKeeper({
    nodes: () => nodes.map((node) => node.ask),
    async shift(licenseId, ms) {
      const key = `${PREFIX}:key:${licenseId}`;
      await eye.set(key, Number(await eye.get(key)) + ms * 1_000);
    },
    runs: 200,
  });

  test('a bucket is deleted when it is full, and its name reveals only its owner', async () => {
    licenseId = newLicense();
    await ask([wanted(600, 5)]);
    const key = `${PREFIX}:key:${licenseId}`;
    expect(await eye.pttl(key)).toBeWithin(1, 503);
    await until(async () => (await eye.exists(key)) === 0);
  });

  test('a restarted server without buckets and script works', async () => {
    licenseId = newLicense();
    expect(grantedIn(await ask([wanted(3, 9)]))).toBe(3);
    await eye.script('FLUSH');
    expect(grantedIn(await ask([wanted(3, 9)]))).toBe(0);
    await valkey.stop();
    await until(async () => /unreachable/.test(await reasonOf(nodes[0] as LimitsServer)));
    await valkey.start();
    await until(async () => (await reasonOf(nodes[0] as LimitsServer)) === 'none');
    expect(grantedIn(await ask([wanted(3, 9)]))).toBe(3);
  });

  test('a frozen server delays requests by at most 50 ms, and counts when it continues', async () => {
    licenseId = newLicense();
    const draws = createSharedDraws({
      ask,
      monotonic: () => performance.now(),
      onAway() {},
      onBack() {},
    });
    const one = { bucket: 'key', capacity: 100, licenseId, units: 1 };
    expect(await draws.draw(one)).toMatchObject({ isGranted: true });
    valkey.freeze('SIGSTOP');
    try {
      let soonest = Number.POSITIVE_INFINITY;
      // A busy machine may be late once, not always. Meanwhile the connection is replaced.
      for (let tries = 0; tries < 3; tries++) {
        const begun = performance.now();
        expect(await draws.draw(one)).toBeUndefined();
        soonest = Math.min(soonest, performance.now() - begun);
        await Bun.sleep(1_010);
      }
      expect(soonest).toBeLessThan(60);
    } finally {
      valkey.freeze('SIGCONT');
    }
    await until(async () => draws.isCounted());
    expect(await draws.draw(one)).toMatchObject({ isGranted: true });
  });
});

describe.skipIf(!isValkeyThere)('a server with authentication', () => {
  let valkey: Valkey;
  beforeAll(async () => {
    valkey = await startValkey({ password: 'w/ord', tls: true });
  });
  afterAll(() => valkey.stop());
  const url = (identity: string, db = '') => `rediss://${identity}localhost:${valkey.port}/${db}`;
  const ca = () => readFileSync(valkey.ca ?? '', 'utf8');

  test('is used over TLS with the password, in the named database', async () => {
    const server = await connect(url(':w%2Ford@', '3'), ca());
    expect(await reasonOf(server)).toBe('none');
    licenseId = newLicense();
    expect(grantedIn(await server.ask([wanted(5, 9)]))).toBe(5);
    const eye = new Redis({ path: valkey.socket, password: 'w/ord', db: 3 });
    expect(await eye.exists(`${PREFIX}:key:${licenseId}`)).toBe(1);
    eye.disconnect();
  });

  test.each([
    [':wrong@', '', /refuses this user or password. Correct SERVICE_LIMITS_URL/],
    ['ann:wrong@', '', /refuses this user or password/],
    ['', '', /requires a password/],
    [':w%2Ford@', '99', /no such database/],
  ])('the problem with %p and database %p is reported with the remedy', async (identity, db, words) => {
    const server = await connect(url(identity, db), ca());
    expect(await reasonOf(server)).toMatch(words);
    // After any number of attempts.
    await Bun.sleep(400);
    expect(await reasonOf(server)).toMatch(words);
  });

  test('an untrusted certificate is refused, and so is that of another host', async () => {
    expect(await reasonOf(await connect(url(':w%2Ford@')))).toMatch(/not signed by a trusted CA/);
    const other = `rediss://:w%2Ford@127.0.0.1:${valkey.port}`;
    expect(await reasonOf(await connect(other, ca()))).toMatch(/for another host/);
  });
});

test.skipIf(!isValkeyThere).each([
  ['is a replica', ['--replicaof', '127.0.0.1 1'], '', /is a replica/],
  ['is out of memory', ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'], '', /out of memory/],
  [
    'has a user without the permissions',
    ['--user', 'ann', 'on', '>word', '~*', '+ping'],
    'ann:word@',
    /lacks permissions/,
  ],
  ['is a cluster', ['--cluster-enabled', 'yes'], '', /is a cluster/],
])('a server that %s is reported also without requests', async (_, options, identity, words) => {
  const valkey = await startValkey({ options });
  const server = await connect(valkey.url.replace('//', `//${identity}`));
  expect(await reasonOf(server)).toMatch(words);
  await valkey.stop();
});

test.skipIf(!isValkeyThere)('a user needs only the permissions in the handbook', async () => {
  const handbook = readFileSync(join(import.meta.dir, '../../docs/postgresql.md'), 'utf8');
  const [, rules = ''] = /`on >password (.+?)`/.exec(handbook) ?? [];
  const options = ['--user', 'ann', 'on', '>word', ...rules.split(' ')];
  const valkey = await startValkey({ options });
  const server = await connect(`${valkey.url.replace('//', '//ann:word@')}/2`);
  expect(rules).toContain('+evalsha');
  expect(grantedIn(await server.ask([wanted(5, 9)]))).toBe(5);
  await valkey.stop();
});

test('a missing server delays no request, and its address is not logged', async () => {
  const begun = performance.now();
  const server = await connect(`redis://ann:secret@127.0.0.1:${await freePort()}`);
  expect(await reasonOf(server)).toBe('it is unreachable');
  expect(performance.now() - begun).toBeLessThan(1_000);
});
