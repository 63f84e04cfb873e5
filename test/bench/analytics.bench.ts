/**
 * The cost of a tenant's views with few and with many events: `bun test/bench/analytics.bench.ts`. The same
 * sites and days, 5 thousand and 5 million events; the executable answers for both in interleaved rounds.
 * Ends with exit code 1 when analytics with many events takes more than 1.5 times as long.
 */
import { DatabaseSync } from 'node:sqlite';
import { generateLicenseKey, hashLicenseKey } from '../../src/domain/license/license-key.ts';
import { databasePath, installationKeyPath } from '../../src/storage/engine/data-directory.ts';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { makeSecret } from '../../src/storage/installation/installation-key.ts';
import { API } from '../support/client.ts';
import { start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const EVENTS = [5_000, 5_000_000];
const SITES = 20;
const DAYS = 40;
const ROUNDS = 9;
const REQUESTS = 100;
const RATIO_MAX = 1.5;

const ROLLUPS = `
  insert into event_days (license_id, day, site_id, info, low, medium, high, critical)
    select license_id, occurred_at / 86400000 as day, site_id, sum(severity = 'info'), sum(severity = 'low'),
      sum(severity = 'medium'), sum(severity = 'high'), sum(severity = 'critical')
    from events group by license_id, day, site_id;
  insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical, last_event_at)
    select license_id, site_id, lower(hex(randomblob(12))), sum(severity = 'info'), sum(severity = 'low'),
      sum(severity = 'medium'), sum(severity = 'high'), sum(severity = 'critical'), max(occurred_at)
    from events group by license_id, site_id;
  insert into alerts (license_id, site_id, subject, critical_at, high_at)
    select license_id, site_id, 'malware', max(iif(severity = 'critical', occurred_at, null)),
      max(iif(severity = 'high', occurred_at, null))
    from events group by license_id, site_id;
  insert into arrivals
    (first_event_id, last_event_id, license_id, site_id, received_at, oldest_occurred_at, newest_occurred_at)
    select min(id), max(id), license_id, site_id, max(received_at), min(occurred_at), max(occurred_at)
    from events group by license_id, site_id, (id - 1) / 100;
`;

/** A data directory with events, and rollups as if telemetry had reported them in requests of a hundred. */
function prepare(events: number): { directory: string; key: string } {
  const directory = temporaryDirectory();
  const path = databasePath(directory);
  prepareDatabase(path);
  makeSecret(installationKeyPath(directory));
  const key = generateLicenseKey('test');
  const db = new DatabaseSync(path);
  db.prepare(`
    insert into licenses
      (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      values (1, ?, '', '', 'paid', 'test', 'pro', '[]', '[]', '[]', 0)
  `).run(hashLicenseKey(key));
  const now = Date.now();
  db.prepare(`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SITES})
    insert into sites (id, license_id, domain, plugin_version, first_seen_at, last_seen_at)
      select i, 1, 'site' || i || '.test', '1.' || i, ?1, ?1 from n
  `).run(now);
  db.prepare(`
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${events - 1})
    insert into events (license_id, site_id, type, severity, occurred_at, received_at, event_id)
      select 1, i / 100 % ${SITES} + 1, 'malware_found',
        case i % 5 when 0 then 'info' when 1 then 'low' when 2 then 'medium' when 3 then 'high' else 'critical' end,
        ?1 - i % ${DAYS * 24 + 1} * 3600000, ?1, 'event-' || i from n
  `).run(now);
  db.exec(ROLLUPS);
  db.close();
  return { directory, key };
}

const subjects = [];
for (const events of EVENTS) {
  const { directory, key } = prepare(events);
  const service = await start('binary', {
    SERVICE_DATA_DIR: directory,
    SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
    SERVICE_DAILY_EVENTS: '0',
    SERVICE_DAILY_BYTES: '0',
    SERVICE_RATE_IP_PER_MINUTE: '1000000000',
  });
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(service.url + API + path, { method, headers });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text).data;
  };
  const snapshot = await ask('/analytics/metrics', 'POST');
  if (snapshot.counters.events !== events) throw new Error('the counters are not those of the events');
  const [{ id }] = (await ask('/sites')).sites;
  subjects.push({
    'POST /analytics/metrics': () => ask('/analytics/metrics', 'POST'),
    'GET /sites': () => ask('/sites'),
    'GET /sites/{siteId}': () => ask(`/sites/${id}`),
    'GET /events?limit=200': () => ask('/events?limit=200'),
  });
}
const [few, many] = subjects;
if (few === undefined || many === undefined) throw new Error('there is nothing to compare');

async function meanMs(request: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < REQUESTS; index++) await request();
  return (performance.now() - startedAt) / REQUESTS;
}
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const rows = [];
for (const name of Object.keys(few) as (keyof typeof few)[]) {
  const pairs: [number, number][] = [];
  await meanMs(few[name]);
  await meanMs(many[name]);
  for (let round = 0; round < ROUNDS; round++)
    pairs.push([await meanMs(few[name]), await meanMs(many[name])]);
  rows.push({
    request: name,
    '5 k events, ms': Number(median(pairs.map(([ms]) => ms)).toFixed(2)),
    '5 M events, ms': Number(median(pairs.map(([, ms]) => ms)).toFixed(2)),
    ratio: Number(median(pairs.map(([one, other]) => other / one)).toFixed(2)),
  });
}
console.table(rows);
process.exit((rows[0]?.ratio ?? Infinity) <= RATIO_MAX ? 0 : 1);
