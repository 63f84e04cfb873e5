/**
 * The waiting time of a tenant with 1,000 sites and a million events for a page: `bun
 * test/bench/portal.bench.ts` builds the executable, or uses the one in REDOUBT_EXECUTABLE. Each page nine
 * times, next to the API's answer with the same data, as the ceiling.
 */
import { DatabaseSync } from 'node:sqlite';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { API, call } from '../support/client.ts';
import { portalOf } from '../support/portal.ts';
import { run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const SITES = 1_000;
const EVENTS = 1_000_000;
const PER_ARRIVAL = 100;
const ROUNDS = 9;

function fill(path: string): void {
  const db = new DatabaseSync(path);
  const now = Date.now();
  const each = (count: number) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  const site = `i / ${PER_ARRIVAL} % ${SITES} + 1`;
  const at = `${now} - (${EVENTS} - i) % ${30 * 24} * ${HOUR_MS}`;
  db.exec(`
    begin;
    ${each(SITES)} insert into sites (id, license_id, domain, plugin_version, first_seen_at, last_seen_at)
      select i + 1, 1, 'shop-' || i || '.example.com', '2.' || (i % 20) || '.0', 0, ${now} - i % 48 * ${HOUR_MS} from n;
    insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical)
      select 1, id, 'site_' || id, 200, 200, 200, 200, 200 from sites;
    ${each(EVENTS)} insert into events (id, license_id, site_id, type, severity, message, occurred_at, received_at)
      select i + 1, 1, ${site}, iif(i % 7, 'login_failed', 'malware_found'),
        case i % 5 when 0 then 'info' when 1 then 'low' when 2 then 'medium' when 3 then 'high' else 'critical' end,
        'seen at the door ' || i, ${at}, ${at} from n;
    ${each(EVENTS / PER_ARRIVAL)} insert into arrivals (first_event_id, last_event_id, license_id, site_id, received_at,
        oldest_occurred_at, newest_occurred_at)
      select i * ${PER_ARRIVAL} + 1, (i + 1) * ${PER_ARRIVAL}, 1, i % ${SITES} + 1, ${now} - ${DAY_MS}, ${now} - ${30 * DAY_MS}, ${now} from n;
    insert into alerts (license_id, site_id, subject, critical_at, resolved_at)
      select 1, id, 'malware_found', ${now} - id % 400 * ${HOUR_MS}, iif(id % 3, ${now}, null) from sites where id % 2 = 0;
    commit;
    analyze;
  `);
  db.close();
}

const settings = {
  SERVICE_DATA_DIR: temporaryDirectory(),
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
};
const { exitCode, stderr } = await run('binary', settings, 'init');
if (exitCode !== 0) throw new Error(stderr);
const issuing = await run('binary', settings, 'license', 'issue', '--plan', 'enterprise', '--json');
const { key } = JSON.parse(issuing.stdout);
fill(databasePath(settings.SERVICE_DATA_DIR));
const service = await start('binary', settings);
const browser = await portalOf(service, key);
const site = (await call(service.url, `${API}/sites?limit=1`, { key })).json.data.sites[0].id;

/** Each with its requests to the API. */
const PAGES: Readonly<Record<string, readonly [path: string, asked: string]>> = {
  Overview: ['/portal', '/me'],
  Sites: ['/portal/sites', '/sites'],
  'a site': [`/portal/sites/${site}`, `/sites/${site}`],
  Events: ['/portal/events', '/events'],
  'Events, of a type that is none': [
    '/portal/events?type=nothing_of_the_kind',
    '/events?type=nothing_of_the_kind',
  ],
  Scans: ['/portal/scans', '/scans'],
  'Signals and scores': ['/portal/signals', '/sites'],
  Evidence: ['/portal/evidence', '/evidence'],
  API: ['/portal/api', '/sites?limit=1'],
};

async function medianOf(ask: () => Promise<number>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const status = await ask();
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`a page was answered ${status}`);
  }
  return `${times.sort((one, other) => one - other)[ROUNDS >> 1]?.toFixed(1)} ms`;
}

console.log('| Page | Median | The same of the API |\n|---|---:|---:|');
for (const [name, [path, asked]] of Object.entries(PAGES)) {
  const ofPage = await medianOf(async () => (await browser.get(path)).status);
  const ofApi = await medianOf(async () => (await call(service.url, API + asked, { key })).status);
  console.log(`| ${name} | ${ofPage} | ${ofApi} |`);
}
await service.end();
