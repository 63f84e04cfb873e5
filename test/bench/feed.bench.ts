/**
 * The cost of the feed with far more threats than it publishes: `bun test/bench/feed.bench.ts`. 100,000
 * licenses have reported 432,000 threats three times each; every epoch recomputes everything and differs.
 * Ends with exit code 1 when another client waits longer than 0.25 s meanwhile, or the process uses more than
 * 400 MB.
 */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { generateLicenseKey, hashLicenseKey } from '../../src/domain/license/license-key.ts';
import { databasePath, installationKeyPath } from '../../src/storage/engine/data-directory.ts';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { makeSecret } from '../../src/storage/installation/installation-key.ts';
import { API } from '../support/client.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const LICENSES = 100_000;
const THREATS = 432_000;
const EPOCHS = 10;
const EPOCH_SECONDS = 6;
const HOUR_MS = 3_600_000;
const FORGET_NEWEST = `
  delete from threat_reports where fingerprint =
    (select fingerprint from threat_reports order by last_reported_at desc limit 1)
`;
const WAIT_MS_MAX = 250;
const RSS_MB_MAX = 400;

function prepare(): { directory: string; key: string } {
  const directory = temporaryDirectory();
  const path = databasePath(directory);
  prepareDatabase(path);
  makeSecret(installationKeyPath(directory));
  const key = generateLicenseKey('live');
  const now = Date.now();
  const db = new DatabaseSync(path);
  const numbers = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  db.exec('begin');
  db.exec(`
    ${numbers(LICENSES)} insert into licenses
      (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at, email)
      select i, 'hash ' || i, '', '', 'paid', 'live', 'starter', '[]', '[]', '[]', 0,
        case i % 4 when 0 then 'owner' || i || '@example.com' end from n;
    ${numbers(LICENSES)} insert into sites (license_id, domain, first_seen_at, last_seen_at)
      select i, 'site' || i || '.com', ${now - 48 * HOUR_MS}, ${now} from n;
    ${numbers(LICENSES)} insert into subscriptions (id, license_id, customer_id, status, created_at)
      select 'sub_' || i, i, 'cus_' || (i / 2), 'active', 0 from n where i % 2 = 0;
  `);
  db.prepare('update licenses set key_hash = ? where id = 1').run(hashLicenseKey(key));
  const report = db.prepare("insert into threat_reports values (?, ?, 'sql_injection', ?, ?)");
  for (let threat = 0; threat < THREATS; threat++) {
    const print = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
    for (let reporter = 0; reporter < 3; reporter++) {
      report.run(print, ((threat * 7 + reporter * 33_331) % LICENSES) + 1, now - threat, now - threat);
    }
  }
  db.exec('commit');
  db.close();
  return { directory, key };
}

const peakMegabytes = ({ process: { pid } }: RunningService): number => {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1_000);
};

const { directory, key } = prepare();
const startedAt = performance.now();
const service = await start('binary', {
  SERVICE_DATA_DIR: directory,
  SERVICE_THREAT_FEED_ENABLED: '1',
  SERVICE_FEED_EPOCH_SECONDS: String(EPOCH_SECONDS),
  SERVICE_RATE_IP_PER_MINUTE: '1000000000',
  SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
});
const startMs = performance.now() - startedAt;

const read = (headers: Record<string, string> = {}) =>
  fetch(`${service.url}${API}/threat-feed`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...headers },
    decompress: false,
  } as RequestInit);
const bytesOf = async (response: Response) => (await response.arrayBuffer()).byteLength;

let waitMs = 0;
let measuring = true;
const others = (async () => {
  while (measuring) {
    const askedAt = performance.now();
    await (await fetch(`${service.url}${API}/status`)).arrayBuffer();
    waitMs = Math.max(waitMs, performance.now() - askedAt);
    await Bun.sleep(5);
  }
})();
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  const etag = (await read()).headers.get('etag') ?? '';
  rows(service, FORGET_NEWEST);
  await until(async () => (await read({ 'if-none-match': etag })).status === 200, 5_000 * EPOCH_SECONDS);
}
measuring = false;
await others;

const shown = (value: number) => Math.round(value).toLocaleString('en');
const [identity, gzip] = [
  await bytesOf(await read()),
  await bytesOf(await read({ 'accept-encoding': 'gzip' })),
];
const rssMb = peakMegabytes(service);
console.log(`body ${shown(identity)} bytes, gzip ${shown(gzip)} bytes
ready after ${shown(startMs)} ms, the first feed included
at most ${rssMb} MB (RSS) over ${EPOCHS} epochs
/status waited at most ${shown(waitMs)} ms`);
await service.end();
process.exit(waitMs > WAIT_MS_MAX || rssMb > RSS_MB_MAX ? 1 : 0);
