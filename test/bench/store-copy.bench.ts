/**
 * The duration of copying a store: `bun test/bench/store-copy.bench.ts [events]`, 5 million by default, to a
 * PostgreSQL on this host that flushes its commits, and back, each verified. Takes 5 minutes and 7 GB in the
 * temporary folder. Ends with exit code 1 when 5 million events take longer than 5 minutes either way, or
 * differ afterwards.
 */
import { loadavg } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { emptyInstallation, keyedDirectory } from '../support/copies.ts';
import { newEmptyDatabase, postgresUrl } from '../support/postgres.ts';
import { run } from '../support/service.ts';

const EVENTS = Number(process.argv[2] ?? 5_000_000);
const SITES = 1_000;
const PER_REQUEST = 20;
const SECONDS_MAX = (300 * EVENTS) / 5_000_000;

function prepare(): string {
  const directory = emptyInstallation();
  const db = new DatabaseSync(databasePath(directory));
  db.exec(`
    pragma synchronous = off;
    insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (1, 'h', 'p', 'l', 'paid', 'live', 'enterprise', '[]', '[]', '[]', 0);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SITES})
      insert into sites (id, license_id, domain, first_seen_at, last_seen_at) select i, 1, 'site' || i || '.test', 0, 0 from n;
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${EVENTS - 1})
      insert into events (license_id, site_id, type, severity, message, occurred_at, received_at, event_id, metadata)
        select 1, i / ${PER_REQUEST} % ${SITES} + 1, 'login_failed', 'low', 'Failed login of a user from 192.0.2.' || i % 250,
          1764000000000 + i, 1764000000000 + i, lower(hex(randomblob(16))),
          case i % 2 when 0 then '{"username_hash":"' || lower(hex(randomblob(8))) || '","attempts":' || i % 9 || '}' end from n;
    insert into arrivals select min(id), max(id), 1, site_id, min(received_at), min(occurred_at), max(occurred_at)
      from events group by (id - 1) / ${PER_REQUEST}`);
  db.close();
  return directory;
}

/** A hash of the events, in order. */
function digest(directory: string): string {
  const db = new DatabaseSync(databasePath(directory));
  const hasher = new Bun.CryptoHasher('sha256');
  for (const row of db.prepare('select * from events order by id').iterate())
    hasher.update(JSON.stringify(row));
  db.close();
  return hasher.digest('hex');
}

async function seconds(directory: string, option: string, url: string): Promise<number> {
  const { exitCode, stdout, stderr } = await run(
    'binary',
    { SERVICE_DATA_DIR: directory },
    ...['store', 'copy', option, url, '--json'],
  );
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout).seconds;
}

const directory = prepare();
const url = postgresUrl(await newEmptyDatabase());
const back = keyedDirectory(directory);
console.log(`load before: ${loadavg().map((load) => load.toFixed(1))}`);
const there = await seconds(directory, '--to', url);
console.log(`${EVENTS.toLocaleString('en')} events to PostgreSQL: ${there} s`);
const home = await seconds(back, '--from', url);
console.log(`${EVENTS.toLocaleString('en')} events to SQLite: ${home} s`);
console.log(`load after: ${loadavg().map((load) => load.toFixed(1))}`);
const isSame = digest(directory) === digest(back);
if (!isSame) console.log('the events that came back are others');
process.exit(isSame && Math.max(there, home) <= SECONDS_MAX ? 0 : 1);
