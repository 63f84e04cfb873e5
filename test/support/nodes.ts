import type { Awaitable } from '../../src/lib/awaitable.ts';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { API, call, type Reply } from './client.ts';
import { openPostgres, type PostgresServer, postgresUrl } from './postgres.ts';
import { type Env, type RunningService, start, type Target, until } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** Two of the executable and one of the source under Deno: all are equivalent. */
const RUN_AS: readonly Target[] = ['binary', 'binary', 'deno'];

/** Several nodes on one database. */
export interface Nodes {
  readonly services: readonly [RunningService, RunningService, RunningService];
  readonly env: Env;
  end(): Promise<void>;
}

let made = 0;

/** Creates an empty database, and returns its address. */
export async function emptyDatabase(server: PostgresServer): Promise<string> {
  const database = `nodes_${++made}`;
  const admin = openPostgres({ ...server.address, database: 'postgres' });
  await execute(admin, `create database ${database}`);
  await disconnect(admin);
  return postgresUrl({ ...server.address, database });
}

/**
 * Starts nodes together that share their keys and a new database, unless one is given, each with its own data
 * directory.
 */
export async function startNodes(server: PostgresServer, settings: Env = {}): Promise<Nodes> {
  const env = {
    SERVICE_DATABASE_URL: settings.SERVICE_DATABASE_URL ?? (await emptyDatabase(server)),
    SERVICE_KEYS_DIR: temporaryDirectory(),
    ...settings,
  };
  const services = await Promise.all(RUN_AS.map((target) => start(target, env)));
  return {
    services: services as unknown as Nodes['services'],
    env,
    end: async () => void (await Promise.all(services.map((service) => service.end()))),
  };
}

/** Sends a request to all nodes concurrently, and returns their answers. */
export const askEach = <Value>(
  { services }: Nodes,
  ask: (service: RunningService) => Promise<Value>,
): Promise<Value[]> => Promise.all(services.map(ask));

/** Sends the given number of requests with a key to each node, concurrently. */
export async function askAtOnce(nodes: Nodes, key: string, ofEach: number): Promise<Reply[]> {
  const asked = Array.from({ length: ofEach }, () =>
    askEach(nodes, ({ url }) => call(url, `${API}/me`, { key })),
  );
  return (await Promise.all(asked)).flat();
}

/** Sends two batches of five units to each node, concurrently. */
export async function askBatches(nodes: Nodes, key: string): Promise<Reply[]> {
  const content = 'a'.repeat(4.5 * 64 * 1024);
  const body = { items: [{ id: 'a', input_type: 'log', content }] };
  const asked = [1, 2].map(() =>
    askEach(nodes, ({ url }) => call(url, `${API}/brain/analyze/batch`, { key, body })),
  );
  return (await Promise.all(asked)).flat();
}

/** Opens the database of a service next to it. */
export async function inDatabase<Value>(
  { SERVICE_DATABASE_URL: url = '' }: Env,
  use: (db: Database) => Awaitable<Value>,
): Promise<Value> {
  const db = openPostgres(postgresAddress(url));
  try {
    return await use(db);
  } finally {
    await disconnect(db);
  }
}

const LOG_MS_MAX = 1_000;
const PER_NODE = 'rate limits are counted per node';
const isCounting = async ({ url }: RunningService): Promise<boolean> =>
  !(await call(url, '/readyz')).json.warnings.some((warning: string) => warning.includes(PER_NODE));

/** Retries after a node was too busy to be answered in 50 ms: then it counts alone, and its log reports that. */
export async function whileCounted(
  { services }: { readonly services: readonly RunningService[] },
  attempt: () => Promise<void>,
): Promise<void> {
  const missed = () => services.map((service) => service.log().split(PER_NODE).length);
  for (let triesLeft = 10; triesLeft > 0; triesLeft--) {
    await until(async () => (await Promise.all(services.map(isCounting))).every(Boolean));
    const before = String(missed());
    try {
      return await attempt();
    } catch (error) {
      // A node's log may arrive after its answers.
      const isExplained = until(() => String(missed()) !== before, LOG_MS_MAX).catch(() => false);
      if (!(await isExplained)) throw error;
    }
  }
  throw new Error('no node ever had the time to ask');
}
