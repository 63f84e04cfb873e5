/**
 * An operator's waiting time with 100,000 licenses: `bun test/bench/licenses.bench.ts`. Pages of the list
 * with every filter, and searches for every kind of text, through the functions of the commands; then the
 * whole list as CSV by the command itself, from source or with REDOUBT_EXECUTABLE, and the peak of its
 * memory. The target is 100 ms for a page and a search.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultCatalog } from '../../src/domain/license/catalog.ts';
import type { LicenseFilter } from '../../src/domain/license/license-filter.ts';
import { hashLicenseKey } from '../../src/domain/license/license-key.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { findLicenses } from '../../src/operator/find-licenses.ts';
import { listLicenses } from '../../src/operator/list-licenses.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { COMPILERS } from './beside.ts';

const LICENSES = 100_000;
const ROUNDS = 9;
const NOW = Date.UTC(2026, 10, 23);
const KEY = 'rdt_live_of-the-last-license';
const MAIN = join(import.meta.dir, '../../src/main.ts');

function fill(path: string): void {
  const db = connect(path);
  db.$client.exec(`
    begin;
    create temporary table numbers (id integer primary key);
    with recursive n (id) as (select 1 union all select id + 1 from n where id < ${LICENSES}) insert into numbers select id from n;
    insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, note,
        customer, email, external_id, created_at, expires_at, revoked_at)
      select id, iif(id = ${LICENSES}, '${hashLicenseKey(KEY)}', 'hash ' || id), 'rdt_live_', substr('000' || id, -4), 'paid', 'live',
        iif(id % 4, 'pro', 'free'), '[]', '[]', iif(id % 1000, '[]', '["operator"]'), 'ordered by telephone, invoice ' || id,
        'Müller & Sons Ltd ' || id, 'owner@customer-' || id || '.example', 'shop-' || id, 0,
        iif(id % 10, null, ${NOW} + id % 1000 * ${DAY_MS}), iif(id = ${LICENSES - 1}, 1, null) from numbers;
    insert into license_domains select id, 'shop-' || id || '.example.com', 'operator', 0 from numbers;
    insert into license_domains select id, 'shop-' || id || '.example.org', 'operator', 0 from numbers;
    insert into blocked_domains select id, 'blocked-' || id || '.example.com', 0 from numbers where id % 10 = 0;
    insert into sites (license_id, domain, first_seen_at, last_seen_at)
      select license_id, domain, 0, iif(license_id % 3, 0, ${NOW}) from license_domains;
    commit;
  `);
  db.$client.close();
}

const FILTERS: Readonly<Record<string, LicenseFilter>> = {
  'no filter': {},
  suspended: { state: 'suspended' },
  revoked: { state: 'revoked' },
  pending: { state: 'pending' },
  plan: { plan: 'pro' },
  domain: { domain: 'shop-99990.example.com' },
  'ending in 30 days': { endsWithinMs: 30 * DAY_MS },
  silent: { silent: true },
};

const TEXTS = {
  id: 'lic_99990',
  key: KEY,
  'last four': '9990',
  domain: 'shop-99990.example.com',
  'blocked domain': 'blocked-99990.example.com',
  'external id': 'shop-99990',
  email: 'OWNER@customer-99990.example',
  customer: 'müller & sons ltd 99990',
  'customer of all': 'MÜLLER',
  note: 'telephone, INVOICE 99990',
  nothing: 'nobody has this',
};

/** Medians and longest, in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return `${times[Math.floor(ROUNDS / 2)]?.toFixed(1)} ms, at most ${times.at(-1)?.toFixed(1)}`;
}

async function measure(path: string): Promise<void> {
  const db = connect(path);
  for (const [name, filter] of Object.entries(FILTERS)) {
    const page = () => listLicenses(db, filter, { after: 0, limit: 50 }, defaultCatalog, NOW);
    console.log(`page, ${name}: ${await timed(page)}`);
  }
  for (const [kind, text] of Object.entries(TEXTS))
    console.log(`find by ${kind}: ${await timed(() => findLicenses(db, text, 50, NOW))}`);
}

const [made] = process.argv.slice(2);
if (made === undefined) {
  const directory = mkdtempSync(join(tmpdir(), 'redoubt-bench-'));
  const command = process.env.REDOUBT_EXECUTABLE
    ? [process.env.REDOUBT_EXECUTABLE]
    : [process.execPath, MAIN];
  const env = { ...process.env, SERVICE_DATA_DIR: directory };
  const run = (...words: string[]) =>
    Bun.spawnSync([...command, ...words], { env, stdout: 'pipe', stderr: 'inherit' });
  run('init');
  fill(databasePath(directory));
  for (const [name, compiler] of COMPILERS) {
    console.log(`${name} the compiler`);
    spawnSync(process.execPath, [import.meta.path, databasePath(directory)], {
      env: { ...process.env, BUN_JSC_useJIT: compiler },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  for (const words of [['list'], ['list', '--csv']]) {
    const startedAt = performance.now();
    const { stdout, resourceUsage } = run('license', ...words);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(2);
    const mib = (resourceUsage.maxRSS / 2 ** 20).toFixed(0);
    console.log(`license ${words.join(' ')}: ${seconds} s, ${stdout.length} bytes, peak ${mib} MiB`);
  }
  rmSync(directory, { recursive: true });
} else {
  await measure(made);
}
