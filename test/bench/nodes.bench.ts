import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { disconnect } from '../../src/storage/engine/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { API } from '../support/client.ts';
import { emptyDatabase } from '../support/nodes.ts';
import { openPostgres, startPostgres } from '../support/postgres.ts';
import { BUN, run } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { DOMAIN, EVENTS_PER_REQUEST, requestsTo } from './bodies.ts';
import { CONNECTIONS, expectWrk, load, type Request } from './load.ts';
import { serve } from './subjects.ts';

// Measures nodes on PostgreSQL next to the same on SQLite, next to PostgreSQL alone, and two of them next to
// one. PostgreSQL and the load generator run on the same machine.

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = 2;
/** More than a quiet node has: waiting for PostgreSQL to count costs less then, and finally nothing. */
const MORE = [64, 256];
const LATE_MAX = 20;

expectWrk();
const server = await startPostgres();
const url = await emptyDatabase(server);
const common = {
  PATH: process.env.PATH ?? '',
  SERVICE_PORT: '0',
  SERVICE_ADMIN_PORT: 'off',
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
  SERVICE_RATE_IP_PER_MINUTE: '1000000000',
  SERVICE_DAILY_EVENTS: '0',
  SERVICE_DAILY_BYTES: '0',
};
const shared = { ...common, SERVICE_DATABASE_URL: url, SERVICE_KEYS_DIR: temporaryDirectory() };
const onPostgres = () => ({ ...shared, SERVICE_DATA_DIR: temporaryDirectory() });

type Requests = ReturnType<typeof requestsTo>;

/** Starts servers with a common database. */
async function started(...envs: Readonly<Record<string, string>>[]): Promise<Requests[]> {
  const [first = {}] = envs;
  await run('binary', first, 'init');
  const issuing = ['license', 'issue', '--json', '--plan', 'pro', '--domain', DOMAIN];
  const { key } = JSON.parse((await run('binary', first, ...issuing)).stdout);
  return Promise.all(
    envs.map(async (env) => {
      const api = (await serve(env)) + API;
      const feed = await fetch(`${api}/threat-feed`, { headers: { authorization: `Bearer ${key}` } });
      return requestsTo({ api, key, feedEtag: feed.headers.get('etag') ?? '' });
    }),
  );
}

const [embedded] = (await started({ ...common, SERVICE_DATA_DIR: temporaryDirectory() })) as [Requests];
const [first, second] = (await started(onPostgres(), onPostgres())) as [Requests, Requests];

const db = openPostgres({ ...server.address, database: new URL(url).pathname.slice(1) });
const connected = async () => {
  const text = `select count(*)::int as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  return (await prepare<{ connections: number }>(db, text).get())?.connections ?? 0;
};

/** Other work on the machine may delay answers, which wrk takes for broken connections: then it is repeated. */
let late = 0;
const rateOf = async (connections: number, ...requests: Request[]): Promise<number> => {
  const loads = await Promise.allSettled(requests.map((request) => load(request, SECONDS, connections)));
  const measured = loads.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (measured.length < loads.length) {
    late += 1;
    if (late > LATE_MAX) throw new Error('the machine is too busy');
    return rateOf(connections, ...requests);
  }
  return measured.reduce((sum, { requests, seconds }) => sum + requests / seconds, 0);
};
const rate = (...requests: Request[]) => rateOf(CONNECTIONS, ...requests);
const events = async (...requests: Request[]) => (await rate(...requests)) * EVENTS_PER_REQUEST;
const bare = async () => {
  const loop = join(import.meta.dir, 'insert-loop-postgres.ts');
  const { stdout } = await promisify(execFile)(BUN, [loop, url, String(SECONDS)]);
  const { rows, seconds } = JSON.parse(stdout);
  return rows / seconds;
};

interface Case {
  readonly name: string;
  readonly aim: string;
  readonly ours: () => Promise<number>;
  readonly beside: () => Promise<number>;
}

/** One node gets as many clients as two. */
const twoBesideOne = (name: string, kind: keyof Requests, measure = rate): Case => ({
  name: `${name}: two processes / one`,
  aim: '',
  ours: () => measure(first[kind], second[kind]),
  beside: () => measure(first[kind], first[kind]),
});

const cases: readonly Case[] = [
  {
    name: 'license/verify: PostgreSQL / SQLite',
    aim: '>= 0.9',
    ours: () => rate(first.verify),
    beside: () => rate(embedded.verify),
  },
  {
    name: 'threat-feed, 304: PostgreSQL / SQLite',
    aim: '>= 0.9',
    ours: () => rate(first.feedKnown),
    beside: () => rate(embedded.feedKnown),
  },
  ...MORE.map((callers) => ({
    name: `threat-feed, 304, ${callers} callers: PostgreSQL / SQLite`,
    aim: '>= 0.9',
    ours: () => rateOf(callers, first.feedKnown),
    beside: () => rateOf(callers, embedded.feedKnown),
  })),
  {
    name: 'telemetry, 100 events: a node / bare inserts, four in flight',
    aim: '>= 0.5',
    ours: () => events(first.telemetry),
    beside: bare,
  },
  {
    name: 'telemetry, 100 events: PostgreSQL / SQLite',
    aim: '',
    ours: () => events(first.telemetry),
    beside: () => events(embedded.telemetry),
  },
  twoBesideOne('license/verify', 'verify'),
  twoBesideOne('threat-feed, 304', 'feedKnown'),
  twoBesideOne('telemetry, 100 events', 'telemetry', events),
];

for (const { ours, beside } of cases) {
  await ours();
  await beside();
}
const rounds: (readonly (readonly [number, number])[])[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const measured: [number, number][] = [];
  for (const { ours, beside } of cases) measured.push([await ours(), await beside()]);
  rounds.push(measured);
}

console.log('| Case | A second | Beside | Ratio | Of each round | Aim |\n|---|---:|---:|---:|---|---|');
for (const [index, { name, aim }] of cases.entries()) {
  const pairs = rounds.map((measured) => measured[index] ?? ([0, 0] as const));
  const ratios = pairs.map(([ours, beside]) => ours / beside);
  const shown = (values: number[]) => Math.round(median(values)).toLocaleString('en');
  console.log(
    `| ${name} | ${shown(pairs.map(([ours]) => ours))} | ${shown(pairs.map(([, beside]) => beside))} | ${median(
      ratios,
    ).toFixed(2)} | ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')} | ${aim} |`,
  );
}
console.log(`measured anew, because answers took over two seconds: ${late}`);
console.log(`connections of two nodes: ${await connected()}`);
await execute(db, 'vacuum analyze events');
const sizes = await prepare<{ rows: number; total: number; heap: number }>(
  db,
  `select (select count(*) from events)::bigint as rows, pg_total_relation_size('events')::bigint as total,
    pg_relation_size('events')::bigint as heap`,
).get();
if (sizes)
  console.log(
    `events: ${sizes.rows} rows, ${Math.round(sizes.total / sizes.rows)} bytes each with indexes, ${Math.round(sizes.heap / sizes.rows)} without`,
  );
await disconnect(db);
await server.stop('SIGQUIT');
process.exit(0);

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
