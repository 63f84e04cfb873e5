/**
 * An operator's waiting time for a page with 100,000 licenses and 5 million events: `bun
 * test/bench/console.bench.ts` builds the executable, or uses the one in REDOUBT_EXECUTABLE. Each page nine
 * times, Overview also without its cache of five seconds, next to the nearly empty account page, as the
 * ceiling. The target is 50 ms.
 */
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { operatorOf } from '../support/console.ts';
import { run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LICENSES = 100_000;
const EVENTS = 5_000_000;
const PER_ARRIVAL = 100;
const ENTRIES = 500_000;
const ROUNDS = 9;
/** Longer than the first page caches its counts. */
const PAUSE_MS = 5_500;
const COUNTED_AGAIN = 'Overview, counted again';

function fill(path: string): void {
  const db = new DatabaseSync(path);
  const now = Date.now();
  const each = (count: number) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  const site = `i / ${PER_ARRIVAL} % ${LICENSES} + 1`;
  const at = `${now} - (${EVENTS} - i) % ${30 * 24} * ${HOUR_MS}`;
  db.exec(`
    begin;
    ${each(LICENSES)} insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied,
        holds, note, customer, email, external_id, created_at, expires_at)
      select i + 1, 'hash ' || i, 'rdt_live_', substr('000' || i, -4), iif(i % 50, 'paid', 'trial'), 'live', iif(i % 4, 'pro', 'free'),
        '[]', '[]', iif(i % 1000, '[]', '["operator"]'), 'invoice ' || i, 'Customer ' || i, 'owner@customer-' || i || '.example',
        'shop-' || i, 0, iif(i % 10, null, ${now} + i % 1000 * ${DAY_MS}) from n;
    insert into license_domains select id, 'shop-' || id || '.example.com', 'operator', 0 from licenses;
    insert into sites (id, license_id, domain, plugin_version, first_seen_at, last_seen_at)
      select id, id, 'shop-' || id || '.example.com', '2.' || (id % 20) || '.0', 0, ${now} - id % 200 * ${HOUR_MS} from licenses;
    insert into site_summaries (license_id, site_id, public_id, info, low, medium, high, critical)
      select id, id, 'site_' || id, 10, 10, 10, 10, 10 from licenses;
    ${each(EVENTS)} insert into events (id, license_id, site_id, type, severity, message, occurred_at, received_at)
      select i + 1, ${site}, ${site}, iif(i % 7, 'login_failed', 'malware_found'),
        case i % 5 when 0 then 'info' when 1 then 'low' when 2 then 'medium' when 3 then 'high' else 'critical' end,
        'seen at the door ' || i, ${at}, ${at} from n;
    ${each(EVENTS / PER_ARRIVAL)} insert into arrivals (first_event_id, last_event_id, license_id, site_id, received_at,
        oldest_occurred_at, newest_occurred_at)
      select i * ${PER_ARRIVAL} + 1, (i + 1) * ${PER_ARRIVAL}, i % ${LICENSES} + 1, i % ${LICENSES} + 1, ${now} - ${DAY_MS},
        ${now} - ${30 * DAY_MS}, ${now} from n;
    insert into alerts (license_id, site_id, subject, critical_at, resolved_at)
      select id, id, 'malware_found', ${now} - id % 400 * ${HOUR_MS}, iif(id % 3, ${now}, null) from licenses where id % 2 = 0;
    ${each(ENTRIES)} insert into audit_log (at, actor, action, subject, reason, before, after)
      select ${now} - (${ENTRIES} - i) * 1000, iif(i % 2, 'cli:root', 'operator:olivia'), 'license.change', 'lic_' || (i % ${LICENSES} + 1),
        'as ordered', '{"plan":"free"}', '{"plan":"pro"}' from n;
    ${each(38 * 24)} insert into license_checks select ${now} - ${now} % ${HOUR_MS} - i * ${HOUR_MS}, 'valid', 400 from n;
    ${each(38 * 24 * 20)} insert into event_counts select ${now} - ${now} % ${HOUR_MS} - i / 20 * ${HOUR_MS},
        case i % 5 when 0 then 'info' when 1 then 'low' when 2 then 'medium' when 3 then 'high' else 'critical' end, 'type_' || (i % 20), 7 from n;
    ${each(38)} insert into fleet_days select ${Math.floor(now / DAY_MS)} - i - 1, ${LICENSES}, ${LICENSES}, ${LICENSES} / 2 from n;
    commit;
    analyze;
  `);
  db.close();
}

const settings = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_THREAT_FEED_ENABLED: '1' };
const { exitCode, stderr } = await run('binary', settings, 'init');
if (exitCode !== 0) throw new Error(stderr);
fill(databasePath(settings.SERVICE_DATA_DIR));
const service = await start('binary', settings);
const owner = await operatorOf(service, 'olivia');

const PAGES = {
  'the account, as the ceiling': '/console/account',
  Overview: '/console',
  [COUNTED_AGAIN]: '/console',
  Licenses: '/console/licenses',
  'Licenses, suspended': '/console/licenses?status=suspended',
  'Licenses, silent': '/console/licenses?silent=1',
  'a license': `/console/licenses/lic_${LICENSES / 2}`,
  Sites: '/console/sites',
  'Sites, silent': '/console/sites?silent=1',
  Alerts: '/console/alerts',
  Events: '/console/events',
  'Events, of a license': `/console/events?license=lic_${LICENSES / 2}`,
  'Events, of a type that is none': '/console/events?type=nothing_of_the_kind',
  'Threat feed': '/console/feed',
  Vulnerabilities: '/console/vulnerabilities',
  Payments: '/console/payments',
  Settings: '/console/settings',
  Audit: '/console/audit',
  'Audit, of a license': `/console/audit?subject=lic_${LICENSES / 2}`,
  Tokens: '/console/tokens',
  Operators: '/console/operators',
};

console.log('| Page | Median | At most | gzip |\n|---|---:|---:|---:|');
for (const [name, path] of Object.entries(PAGES)) {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (name === COUNTED_AGAIN) await Bun.sleep(PAUSE_MS);
    const startedAt = performance.now();
    const { status, text } = await owner.get(path);
    times.push(performance.now() - startedAt);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    bytes = gzipSync(text).length;
  }
  times.sort((one, other) => one - other);
  const [median = 0, most = 0] = [times[ROUNDS >> 1], times.at(-1)];
  console.log(
    `| ${name} | ${median.toFixed(1)} ms | ${most.toFixed(1)} ms | ${(bytes / 1_000).toFixed(1)} kB |`,
  );
}
await service.end();
