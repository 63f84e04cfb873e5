import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { createSharedDraws, type GroupedGrant } from '../../src/lib/shared-draws.ts';
import { connectLimitsServer, type LimitsServer } from '../../src/outside/limits-server.ts';
import { serverAddress } from '../../src/settings/limits-address.ts';
import { until } from '../support/service.ts';
import { freePort, isValkeyThere, startValkey, type Valkey } from '../support/valkey.ts';

const PREFIX = 'redoubt:test';
let licenseId = 0;
const granted = (grants: readonly GroupedGrant[]) => grants.reduce((sum, grant) => sum + grant.granted, 0);
const wanted = (capacity: number, count: number) => ({ bucket: 'key', capacity, licenseId, count });

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

  test('however nodes draw at once, a full bucket gives what it holds, and no more', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        async (capacity, counts) => {
          licenseId += 1;
          const begun = performance.now();
          const drawn = await Promise.all(
            counts.map((count, index) => nodes[index % nodes.length]?.ask([wanted(capacity, count)]) ?? []),
          );
          const regained = ((performance.now() - begun) * capacity) / 60_000;
          const total = counts.reduce((sum, count) => sum + count, 0);
          expect(granted(drawn.flat())).toBeWithin(
            Math.min(total, capacity),
            Math.min(total, capacity + regained) + 1,
          );
        },
      ),
      { numRuns: 200 },
    ));

  test('a bucket tells how long it takes until it is full, and gives a token when it has regained one', async () => {
    licenseId += 1;
    const [first] = await ask([wanted(600, 600)]);
    expect(first?.granted).toBe(600);
    expect(first?.fullInMs).toBeWithin(59_000, 60_001);
    const [refused] = await ask([wanted(600, 600)]);
    expect(refused?.granted).toBeLessThan(10);
    const key = `${PREFIX}:key:${licenseId}`;
    await eye.set(key, Number(await eye.get(key)) - 30_000_000);
    const [half] = await ask([wanted(600, 600)]);
    expect(half?.granted).toBeWithin(300, 310);
  });

  test('buckets of several licenses and kinds are drawn from together, each for itself', async () => {
    const [one, other] = [++licenseId, ++licenseId];
    const draws = [
      { bucket: 'page', capacity: 5, licenseId: other, count: 9 },
      { bucket: 'key', capacity: 3, licenseId: one, count: 2 },
      { bucket: 'key', capacity: 7, licenseId: other, count: 9 },
    ];
    expect((await ask(draws)).map((grant) => grant.granted)).toEqual([5, 2, 7]);
    expect((await ask(draws)).map((grant) => grant.granted)).toEqual([0, 1, 0]);
  });

  test('a bucket is forgotten when it is full, and its name tells nothing but whose it is', async () => {
    licenseId += 1;
    await ask([wanted(600, 5)]);
    const key = `${PREFIX}:key:${licenseId}`;
    expect(await eye.pttl(key)).toBeWithin(1, 503);
    await until(async () => (await eye.exists(key)) === 0);
  });

  test('a clock that was set back costs a license a minute at most', async () => {
    licenseId += 1;
    const key = `${PREFIX}:key:${licenseId}`;
    const inAnHour = (Date.now() + 3_600_000) * 1_000;
    await eye.set(key, inAnHour);
    const [refused] = await ask([wanted(6_000, 1)]);
    expect(refused?.fullInMs).toBeWithin(59_000, 60_001);
    await until(async () => (await ask([wanted(6_000, 1)]))[0]?.granted === 1);
  });

  test('a server that is started anew, and knows neither buckets nor the script, goes on', async () => {
    licenseId += 1;
    expect(granted(await ask([wanted(3, 9)]))).toBe(3);
    await eye.script('FLUSH');
    expect(granted(await ask([wanted(3, 9)]))).toBe(0);
    await valkey.stop();
    await until(async () => /cannot be reached/.test(await reasonOf(nodes[0] as LimitsServer)));
    await valkey.start();
    await until(async () => (await reasonOf(nodes[0] as LimitsServer)) === 'none');
    expect(granted(await ask([wanted(3, 9)]))).toBe(3);
  });

  test('a frozen one keeps nobody longer than 50 ms, and counts when it goes on', async () => {
    licenseId += 1;
    const draws = createSharedDraws({
      ask,
      monotonic: () => performance.now(),
      onAway() {},
      onBack() {},
    });
    const one = { bucket: 'key', capacity: 100, licenseId };
    expect(await draws.draw(one)).toMatchObject({ isGranted: true });
    valkey.freeze('SIGSTOP');
    try {
      let soonest = Number.POSITIVE_INFINITY;
      // A machine that is busy with something else may be late once, not always. Meanwhile the connection is made anew.
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

describe.skipIf(!isValkeyThere)('a server that lets not everybody in', () => {
  let valkey: Valkey;
  beforeAll(async () => {
    valkey = await startValkey({ password: 'w/ord', tls: true });
  });
  afterAll(() => valkey.stop());
  const url = (identity: string, db = '') => `rediss://${identity}localhost:${valkey.port}/${db}`;
  const ca = () => readFileSync(valkey.ca ?? '', 'utf8');

  test('is asked over TLS with the password, in the database that is named', async () => {
    const server = await connect(url(':w%2Ford@', '3'), ca());
    expect(await reasonOf(server)).toBe('none');
    licenseId += 1;
    expect(granted(await server.ask([wanted(5, 9)]))).toBe(5);
    const eye = new Redis({ path: valkey.socket, password: 'w/ord', db: 3 });
    expect(await eye.exists(`${PREFIX}:key:${licenseId}`)).toBe(1);
    eye.disconnect();
  });

  test.each([
    [':wrong@', '', /refuses this user or password: correct SERVICE_LIMITS_URL/],
    ['ann:wrong@', '', /refuses this user or password/],
    ['', '', /wants a password/],
    [':w%2Ford@', '99', /no such database/],
  ])('what is wrong with %p and database %p is said, and what to do', async (identity, db, words) => {
    const server = await connect(url(identity, db), ca());
    expect(await reasonOf(server)).toMatch(words);
    // However often it is tried again.
    await Bun.sleep(400);
    expect(await reasonOf(server)).toMatch(words);
  });

  test('a certificate that nobody trusted has signed is refused, and so is that of another host', async () => {
    expect(await reasonOf(await connect(url(':w%2Ford@')))).toMatch(/signed by nobody who is trusted/);
    const other = `rediss://:w%2Ford@127.0.0.1:${valkey.port}`;
    expect(await reasonOf(await connect(other, ca()))).toMatch(/not that of this host/);
  });
});

test.skipIf(!isValkeyThere).each([
  ['is a replica', ['--replicaof', '127.0.0.1 1'], '', /is a replica/],
  ['has no memory left', ['--maxmemory', '1', '--maxmemory-policy', 'noeviction'], '', /memory is used up/],
  [
    'has a user who may not',
    ['--user', 'ann', 'on', '>word', '~*', '+ping'],
    'ann:word@',
    /may not do what is needed/,
  ],
  ['is a cluster', ['--cluster-enabled', 'yes'], '', /is a cluster/],
])('a server that %s says so also when nobody draws', async (_, options, identity, words) => {
  const valkey = await startValkey({ options });
  const server = await connect(valkey.url.replace('//', `//${identity}`));
  expect(await reasonOf(server)).toMatch(words);
  await valkey.stop();
});

test.skipIf(!isValkeyThere)('a user needs no more than what the handbook names', async () => {
  const handbook = readFileSync(join(import.meta.dir, '../../docs/operating.md'), 'utf8');
  const [, rules = ''] = /`on >password (.+?)`/.exec(handbook) ?? [];
  const options = ['--user', 'ann', 'on', '>word', ...rules.split(' ')];
  const valkey = await startValkey({ options });
  const server = await connect(`${valkey.url.replace('//', '//ann:word@')}/2`);
  expect(rules).toContain('+evalsha');
  expect(granted(await server.ask([wanted(5, 9)]))).toBe(5);
  await valkey.stop();
});

test('a server that is not there is waited for by nobody, and nothing of the address is told', async () => {
  const begun = performance.now();
  const server = await connect(`redis://ann:secret@127.0.0.1:${await freePort()}`);
  expect(await reasonOf(server)).toBe('it cannot be reached');
  expect(performance.now() - begun).toBeLessThan(1_000);
});
