import { disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { openPostgres, type PostgresServer, postgresUrl } from './postgres.ts';
import { type Env, type RunningService, start, type Target } from './service.ts';
import { temporaryDirectory } from './temporary.ts';

/** Two of the executable and one of the source under Deno: all are equal. */
const RUN_AS: readonly Target[] = ['binary', 'binary', 'deno'];

/** Several nodes on one database. */
export interface Nodes {
  readonly services: readonly [RunningService, RunningService, RunningService];
  readonly env: Env;
  end(): Promise<void>;
}

let made = 0;

/** Makes an empty database, and gives its address. */
export async function emptyDatabase(server: PostgresServer): Promise<string> {
  const database = `nodes_${++made}`;
  const admin = openPostgres({ ...server.address, database: 'postgres' });
  await execute(admin, `create database ${database}`);
  await disconnect(admin);
  return postgresUrl({ ...server.address, database });
}

/** Starts nodes that share a new database and their keys, each with a data directory of its own, all at once. */
export async function startNodes(server: PostgresServer, settings: Env = {}): Promise<Nodes> {
  const env = {
    SERVICE_DATABASE_URL: await emptyDatabase(server),
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
