import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import {
  askAtOnce,
  askBatches,
  emptyDatabase,
  inDatabase,
  type Nodes,
  startNodes,
  whileCounted,
} from '../support/nodes.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { type Env, type RunningService, run, SEAM_TARGETS, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { isValkeyThere, startValkey, type Valkey } from '../support/valkey.ts';

// Runs with the whole matrix: it starts three nodes with Valkey, on each runtime.

const LIMIT = 12;
const LIMITS = { SERVICE_RATE_KEY_PER_MINUTE: String(LIMIT), SERVICE_RATE_IP_PER_MINUTE: '100000' };
const PER_NODE = 'rate limits are counted per node: the limits server does not respond in time';
const PASSWORD = 'not-for-logs';

let server: PostgresServer;
beforeAll(async () => {
  if (!isValkeyThere) console.warn('neither Valkey nor Redis is installed: tests with it are skipped');
  server = await startPostgres();
});
afterAll(() => server.stop('SIGQUIT'));

const readiness = async ({ url }: RunningService) => {
  const { status, json } = await call(url, '/readyz');
  return { status, warns: json.warnings.includes(PER_NODE) as boolean };
};
const warnings = (service: RunningService) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes(PER_NODE))
    .map((line) => JSON.parse(line) as { level: string; reason?: string });

describe.skipIf(!isValkeyThere)('three nodes with limits in Valkey', () => {
  let valkey: Valkey;
  let nodes: Nodes;
  beforeAll(async () => {
    valkey = await startValkey({ password: PASSWORD });
    const SERVICE_LIMITS_URL = `redis://:${PASSWORD}@127.0.0.1:${valkey.port}`;
    nodes = await startNodes(server, { ...LIMITS, SERVICE_LIMITS_URL });
  });
  afterAll(async () => {
    await nodes.end();
    await valkey.stop();
  });

  test('apply the limit of a license once to concurrent requests, and store none of it in the database', () =>
    whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const replies = await askAtOnce(nodes, key, 10);
      const allowed = replies.filter(({ status }) => status === 200);
      expect(allowed.length).toBeWithin(LIMIT, LIMIT + 2);
      const refused = replies.filter(({ status }) => status !== 200);
      for (const { json } of refused) expect(json.error.code).toBe('RATE_LIMITED');
      const kept = await inDatabase(nodes.env, (db) => prepare(db, 'select * from rate_limits').all());
      expect(kept).toEqual([]);
    }));

  test("apply a batch's units over all nodes together, all or none", () =>
    whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const replies = await askBatches(nodes, key);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(2);
      for (const { status, headers } of replies.filter((reply) => reply.status !== 200))
        expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    }));

  test('are not delayed by a frozen Valkey: each counts alone, reports that, and all count together afterwards', async () => {
    const { key } = await nodes.services[0].issue('--plan', 'pro');
    valkey.freeze('SIGSTOP');
    try {
      for (const service of nodes.services) {
        const { status } = await call(service.url, `${API}/me`, { key });
        expect(status).toBe(200);
        await until(async () => (await readiness(service)).warns);
        expect((await readiness(service)).status).toBe(200);
      }
      // Without limited requests, a node answers as fast as ever.
      let [soonest] = [Number.POSITIVE_INFINITY];
      for (let tries = 0; tries < 3; tries++) {
        const begun = performance.now();
        expect((await call(nodes.services[0].url, `${API}/me`, { key })).status).toBe(200);
        soonest = Math.min(soonest, performance.now() - begun);
      }
      expect(soonest).toBeLessThan(60);
    } finally {
      valkey.freeze('SIGCONT');
    }
    for (const service of nodes.services)
      await until(
        async () => !(await readiness(service)).warns && /counted across all nodes again/.test(service.log()),
      );
  });

  test('reconnect to a restarted Valkey automatically', async () => {
    await valkey.stop();
    for (const service of nodes.services) await until(async () => (await readiness(service)).warns);
    await valkey.start();
    for (const service of nodes.services) await until(async () => !(await readiness(service)).warns);
    await whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const replies = await askAtOnce(nodes, key, 8);
      expect(replies.filter(({ status }) => status === 200).length).toBeWithin(LIMIT, LIMIT + 2);
    });
  });

  test('log no password', () => {
    for (const service of nodes.services) expect(service.log()).not.toContain(PASSWORD);
  });
});

describe('a node of either runtime', () => {
  let shared: Env;
  beforeAll(async () => {
    shared = {
      SERVICE_DATABASE_URL: await emptyDatabase(server),
      SERVICE_KEYS_DIR: temporaryDirectory(),
      ...LIMITS,
    };
  });

  /**
   * One node of each runtime without its limits server: they serve, report why in one line, and stop
   * normally.
   */
  async function expectAlone(port: number, reason: string, use: (service: RunningService) => Promise<void>) {
    const SERVICE_LIMITS_URL = `redis://:${PASSWORD}@127.0.0.1:${port}`;
    // Its own process: its limits are counted by another server.
    const nodes = await Promise.all(
      SEAM_TARGETS.map((target) => start(target, { ...shared, SERVICE_LIMITS_URL })),
    );
    for (const service of nodes) {
      expect(await readiness(service)).toEqual({ status: 200, warns: true });
      await use(service);
      expect(warnings(service)).toMatchObject([{ level: 'warn', reason }]);
      expect(service.log()).not.toContain(PASSWORD);
    }
    expect(await Promise.all(nodes.map((service) => service.end()))).toEqual([0, 0]);
  }

  test('starts without its limits server, and counts alone', async () => {
    const issued: string[] = [];
    await expectAlone(await freePort(), 'it is unreachable', async (service) => {
      const key = issued[0] ?? (await service.issue('--plan', 'pro')).key;
      issued.push(key);
      const replies = await Promise.all(
        Array.from({ length: LIMIT + 3 }, () => call(service.url, `${API}/me`, { key })),
      );
      expect(replies.filter(({ status }) => status === 200).length).toBeWithin(LIMIT, LIMIT + 2);
    });
  });

  test.skipIf(!isValkeyThere)('reports a wrong password with the remedy', async () => {
    const valkey = await startValkey({ password: 'another' });
    const reason = 'it refuses this user or password. Correct SERVICE_LIMITS_URL';
    await expectAlone(valkey.port, reason, async () => {});
    await valkey.stop();
  });

  test('refuses a malformed address in one line, without repeating it', async () => {
    for (const SERVICE_LIMITS_URL of ['nonsense-of-mine', 'redis://of-mine:of-mine@host:x']) {
      const { exitCode, stderr } = await run('binary', { ...shared, SERVICE_LIMITS_URL }, 'serve');
      expect(exitCode).toBe(2);
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('SERVICE_LIMITS_URL')]);
      expect(stderr).not.toContain('of-mine');
    }
  });
});
