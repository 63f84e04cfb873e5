import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { BALANCERS, type Balancer, pathOf, startBalancer } from '../support/balancer.ts';
import { API } from '../support/client.ts';
import { emptyDatabase } from '../support/nodes.ts';
import { openPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { PACE_MS } from '../support/senders.ts';
import { type Env, type RunningService, run, start, UNLIMITED, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it kills and starts nodes behind two balancers.

const SENDERS = 4;
const isCi = process.env.CI === 'true';

const missing = BALANCERS.filter((name) => pathOf(name) === null);
if (missing.length > 0 && !isCi)
  console.warn(`what is behind a balancer is not tested with ${missing.join(' and ')}: not installed`);

let server: PostgresServer;
let env: Env;
let services: RunningService[] = [];
let key: string;
beforeAll(async () => {
  server = await startPostgres();
  env = {
    ...UNLIMITED,
    SERVICE_DATABASE_URL: await emptyDatabase(server),
    SERVICE_KEYS_DIR: temporaryDirectory(),
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
    SERVICE_ADMIN_PORT: 'off',
  };
  await run('binary', env, 'init');
  // Its own process: nodes are stopped and started.
  services = await Promise.all([start('binary', env), start('binary', env), start('binary', env)]);
  const options = ['--plan', 'enterprise', '--domain', 'a.example.com', '--daily-events', '0'];
  ({ key } = await (services[0] as RunningService).issue(...options));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.end()));
  await server.stop('SIGQUIT');
});

/** The properties that distinguish the events of one balancer. */
async function stored(name: string): Promise<string[]> {
  const database = new URL(env.SERVICE_DATABASE_URL ?? '').pathname.slice(1);
  const db = openPostgres({ ...server.address, database });
  const rows = await prepare<{ message: string }>(db, 'select message from events where message like ?').all(
    `${name}:%`,
  );
  await disconnect(db);
  return rows.map(({ message }) => message);
}

describe.if(isCi || missing.length === 0).each([...BALANCERS])('behind %s', (name) => {
  let balancer: Balancer;
  beforeAll(async () => {
    balancer = await startBalancer(
      name,
      services.map(({ url }) => url),
    );
  });
  afterAll(() => balancer.end());

  const ask = (path: string, body?: unknown, headers = {}) =>
    fetch(balancer.url + path, {
      tls: { rejectUnauthorized: false },
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });

  /** Has clients send each kind of repeatable and unrepeatable request while the nodes change. */
  async function underLoad(label: string, during: (more: () => Promise<void>) => Promise<void>) {
    let isOver = false;
    let count = 0;
    const failed: { again: boolean; status: number; text: string }[] = [];
    const acknowledged: string[] = [];
    const domain = 'a.example.com';
    const send = async (sender: number) => {
      for (let index = 0; !isOver; index++) {
        const message = `${label}:${sender}:${index}`;
        const event = { type: 'login_failed', message };
        const kinds = [
          () => ask(`${API}/me`),
          () => ask(`${API}/license/verify`, { domain }),
          () => ask(`${API}/telemetry`, { domain, events: [{ ...event, event_id: message }] }),
          // No one could distinguish a repetition from another event.
          () => ask(`${API}/telemetry`, { domain, events: [event] }),
        ];
        const kind = (sender + index) % kinds.length;
        const [status, text] = (await kinds[kind]?.().then(
          async (reply) => [reply.status, await reply.text()] as const,
          (error) => [0, String(error)] as const,
        )) ?? [0, ''];
        count += 1;
        if (status === 200 && kind >= 2) acknowledged.push(message);
        if (status !== 200) failed.push({ again: kind < 3, status, text });
        await Bun.sleep(PACE_MS);
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
    const more = async () => {
      const before = count;
      await until(() => count > before + 100, 60_000);
    };
    await more();
    await during(more);
    isOver = true;
    await sending;
    const kept = await stored(label);
    expect(new Set(kept).size).toBe(kept.length);
    expect(acknowledged.filter((message) => !kept.includes(message))).toEqual([]);
    return failed;
  }

  const startAgain = async (place: number) => {
    const { url, env: own } = services[place] as RunningService;
    services[place] = await start('binary', { ...own, SERVICE_PORT: new URL(url).port });
  };

  test('no repeatable request fails while a node is killed and started again, and none counts twice', async () => {
    const failed = await underLoad(`${name}:killed`, async (more) => {
      await services[0]?.end('SIGKILL');
      await more();
      await startAgain(0);
      await more();
    });
    // Unrepeatable requests fail with the node: HAProxy disconnects, nginx returns an error.
    expect(failed.filter(({ again, status }) => again || ![0, 503].includes(status))).toEqual([]);
  }, 180_000);

  test('no request at all fails while each node in turn is stopped and started again', async () => {
    const failed = await underLoad(`${name}:stopped`, async (more) => {
      for (const [place, service] of [...services.entries()]) {
        await service.end('SIGTERM');
        await more();
        await startAgain(place);
        await more();
      }
    });
    expect(failed).toEqual([]);
  }, 180_000);

  test("the service sees the address of its caller, independent of the caller's headers", async () => {
    const { status } = await ask('/metrics', undefined, { 'x-forwarded-for': '127.0.0.1' });
    expect(status).toBe(404);
  });
});
