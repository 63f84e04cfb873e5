/**
 * Waiting times of callers while a database of a gigabyte is backed up during full ingest: `bun
 * test/bench/backup.bench.ts` builds the executable, or uses the one in REDOUBT_EXECUTABLE. GET /status every
 * 10 ms, during telemetry of 100 events over four connections: in turn without a backup, and during one. Also
 * the duration of a backup, of its verification and of a restore, next to a copy of the file.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { API } from '../support/client.ts';
import { type RunningService, run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { askForStatus, at, type Waiting } from './beside.ts';
import type { Flood } from './flood.ts';

const EVENTS = 2_000_000;
const MESSAGE_CHARACTERS = 350;
const ROUNDS = 3;
const EVENTS_PER_REQUEST = 100;
const CONNECTIONS = 4;
const LEAD_MS = 500;
const MB = 1_000_000;

function fill(path: string): void {
  const db = new DatabaseSync(path);
  const now = Date.now();
  db.exec(`
    begin;
    insert into sites (id, license_id, domain, first_seen_at, last_seen_at) values (1, 1, 'example.com', 0, ${now});
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
      insert into events (id, license_id, site_id, type, severity, message, occurred_at, received_at)
      select i, 1, 1, 'login_failed', 'low', hex(randomblob(${MESSAGE_CHARACTERS / 2})), ${now}, ${now} from n;
    commit;
  `);
  db.close();
}

const settings = {
  SERVICE_DATA_DIR: temporaryDirectory(),
  SERVICE_RATE_KEY_PER_MINUTE: '100000000',
  SERVICE_RATE_IP_PER_MINUTE: '100000000',
  SERVICE_DAILY_EVENTS: '0',
  SERVICE_DAILY_BYTES: '0',
};
const redoubt = async (...words: string[]) => {
  const { exitCode, stderr, stdout } = await run('binary', settings, ...words);
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
};

async function seconds(work: () => Promise<unknown> | unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return Number(((performance.now() - startedAt) / 1_000).toFixed(1));
}

async function besideIngest(service: RunningService, key: string, lasting: number): Promise<Waiting> {
  const events = Array.from({ length: EVENTS_PER_REQUEST }, () => ({
    type: 'login_failed',
    message: 'at the door',
  }));
  const body = JSON.stringify({ domain: 'example.com', events });
  const attack = { kind: 'ask', path: `${API}/telemetry`, key, body, status: 200 } as const;
  const workerData: Flood = { url: service.url, attack, connections: CONNECTIONS, seconds: lasting + 1 };
  const flood = new Worker(new URL('./flood.ts', import.meta.url), { workerData });
  const over = new Promise((resolve, reject) => flood.once('exit', resolve).once('error', reject));
  await Bun.sleep(LEAD_MS);
  const waiting = await askForStatus(service, lasting);
  await over;
  return waiting;
}

await redoubt('init');
const { key } = JSON.parse(
  await redoubt('license', 'issue', '--plan', 'enterprise', '--domain', 'example.com', '--json'),
);
const database = databasePath(settings.SERVICE_DATA_DIR);
fill(database);
const folder = temporaryDirectory();
const service = await start('binary', settings);
const rows: object[] = [];
let lasting = 4;
for (let round = 1; round <= ROUNDS; round += 1) {
  const alone = await besideIngest(service, key, lasting);
  const made = seconds(() => redoubt('backup', 'create', '--to', join(folder, `${round}.tar`)));
  const beside = await besideIngest(service, key, lasting);
  const took = await made;
  rows.push({
    round,
    'database, MB': Math.round(statSync(database).size / MB),
    'backup, s': took,
    'p50 alone': at(alone.times, 0.5),
    'p50 beside': at(beside.times, 0.5),
    'p99 alone': at(alone.times, 0.99),
    'p99 beside': at(beside.times, 0.99),
    ratio: Number((at(beside.times, 0.99) / at(alone.times, 0.99)).toFixed(2)),
    'late alone': alone.lateMs,
    'late beside': beside.lateMs,
  });
  // The next ones are requested during the whole backup.
  lasting = Math.max(lasting, Math.ceil(took));
}
await service.end();
console.table(rows);

const backup = join(folder, '1.tar');
const copy = join(folder, 'copy');
const times: object[] = [];
for (let round = 1; round <= ROUNDS; round += 1) {
  const target = join(folder, `alone-${round}.tar`);
  const other = join(folder, 'restored');
  mkdirSync(other);
  times.push({
    'cp and sync, s': await seconds(() =>
      execFileSync('sh', ['-c', 'cp "$0" "$1" && sync "$1"', backup, copy]),
    ),
    'create, s': await seconds(() => redoubt('backup', 'create', '--to', target)),
    'verify, s': await seconds(() => redoubt('backup', 'verify', backup)),
    'restore, s': await seconds(() => run('binary', { SERVICE_DATA_DIR: other }, 'restore', backup)),
  });
  for (const path of [target, copy, other]) rmSync(path, { recursive: true });
}
console.table(times);
process.exit(0);
