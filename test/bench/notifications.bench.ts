/**
 * What notifications cost: `bun test/bench/notifications.bench.ts`. Deliveries a second to a receiver on this host while a million
 * events wait for 100 targets; what an import takes that finds a vulnerability on 100,000 sites; and an event without any target.
 */

import { dirname } from 'node:path';
import { importFeeds } from '../../src/cli/vulns-import-feeds.ts';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { createLog } from '../../src/lib/log.ts';
import { importedFindings } from '../../src/operator/imported-findings.ts';
import { disconnect, inTransaction } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { openKeptSnapshot } from '../../src/storage/mirror/open-snapshot.ts';
import { readMirrorState } from '../../src/storage/vulnerabilities/mirror-state.ts';
import { storeComponents } from '../../src/storage/vulnerabilities/stored-components.ts';
import { storeOf } from '../../src/terminal/store.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';
import { FEEDS_NOW, feedFile, wordfenceFeed, wordfenceRecord } from '../support/feeds.ts';
import { notificationNode } from '../support/notification-node.ts';
import { addTarget } from '../support/notifications.ts';
import { removeTemporaryDirectories } from '../support/temporary.ts';

const [TARGETS, WAITING] = [100, 10_000];
const MEASURED_MS = 10_000;
const [LICENSES, SITES, COMPONENTS] = [1_000, 100, 30];
const log = createLog({ level: 'warn', json: true });
const seconds = (since: number) => (performance.now() - since) / 1_000;

async function deliveries(): Promise<void> {
  const path = newDatabase();
  const db = connect(path);
  for (let at = 0; at < TARGETS; at++) await addTarget(db, `target-${at}`, { events: ['audit'] });
  await execute(
    db,
    `insert into outbox (public_id, type, severity, at, data)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${WAITING})
      select 'evt_' || i, 'audit', 'info', 1, '{"action":"license.change","subject":"lic_1"}' from n;
    insert into deliveries (target_id, event_id, due_at) select targets.id, outbox.id, 1 from targets, outbox;
    update target_states set waiting = ${WAITING}, next_due_at = 1;`,
  );
  const receiver = Bun.serve({ port: 0, fetch: async (request) => new Response(await request.text()) });
  let sent = 0;
  const node = notificationNode(connect(path), {
    log,
    now: Date.now,
    deliver: () => async (message) => {
      const began = performance.now();
      const { status } = await fetch(receiver.url, { method: 'POST', body: JSON.stringify(message) });
      sent += 1;
      return { outcome: 'delivered', status, latencyMs: performance.now() - began };
    },
  });
  const began = performance.now();
  const renewing = setInterval(() => node.renew(), 5_000);
  await node.look();
  await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
  console.log(`${Math.round(sent / seconds(began))} deliveries a second, ${TARGETS * WAITING} waiting`);
  clearInterval(renewing);
  await node.stop();
  await receiver.stop(true);
  await disconnect(db);
}

async function imports(): Promise<void> {
  const path = newDatabase();
  const [directory, db] = [dirname(path), connect(path)];
  await execute(
    db,
    `insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${LICENSES})
      select 'h' || i, 'p', 'l', 'paid', 'live', 'pro', '[]', '[]', '[]', 0 from n;
    insert into sites (license_id, domain, first_seen_at, last_seen_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${SITES})
      select licenses.id, 'site-' || i || '.test', 0, 0 from licenses, n;`,
  );
  const insert = prepare(
    db,
    'insert into site_inventories select license_id, id, ?, 1 from sites where id = ?',
  );
  await inTransaction(db, async () => {
    for (let site = 1; site <= LICENSES * SITES; site++) {
      const components = Array.from({ length: COMPONENTS }, (_, at) => {
        const name = at === 0 ? 'contact-us' : `plugin-${(site * 7 + at) % 5_000}`;
        return {
          ...{ ecosystem: 'wordpress-plugin', name: null, nameHash: nameHash('wordpress-plugin', name) },
          ...{ version: '1.2.3', status: 'active' as const, since: 1, activeSince: 1, firstSeen: {} },
        };
      });
      await insert.run(storeComponents({ components, gone: [] }), site);
    }
  });
  for (let at = 0; at < 10; at++) await addTarget(db, `target-${at}`);
  const act = { actor: 'cli:bench', now: FEEDS_NOW } as const;
  const feeds = [{ path: feedFile(wordfenceFeed(wordfenceRecord())) }];
  const began = performance.now();
  await importFeeds(storeOf(db), { directory, feeds, force: true, dryRun: false, act });
  console.log(`${seconds(began).toFixed(1)} s for an import that concerns ${LICENSES * SITES} sites`);
  const after = await openKeptSnapshot(directory, (await readMirrorState(db)()).current ?? '');
  const compared = performance.now();
  await importedFindings(db, null, after);
  console.log(`${seconds(compared).toFixed(1)} s of it to compare the sites`);
  await after.close();
  const [{ events }] = (await prepare<{ events: number }>(
    db,
    "select count(*) as events from outbox where type like 'vulnerability%'",
  ).all()) as [{ events: number }];
  console.log(`${events} event for 10 targets`);
  await disconnect(db);
}

async function withoutTargets(): Promise<void> {
  const db = connect(newDatabase());
  await addTwoTenants(db);
  const { audit } = prepareJobs(db);
  const entry = { at: 1, actor: 'system', action: 'license.rotate', subject: 'lic_1' } as const;
  const audited = async (times: number) => {
    const began = performance.now();
    await inTransaction(db, async () => {
      for (let at = 0; at < times; at++) await audit(entry);
    });
    return (1e6 * seconds(began)) / times;
  };
  await audited(5_000);
  const none = await audited(20_000);
  await addTarget(db, 'one', { events: ['audit'] });
  console.log(
    `${none.toFixed(0)} µs for an audited change without a target, ${(await audited(20_000)).toFixed(0)} µs with one`,
  );
  await disconnect(db);
}

try {
  await withoutTargets();
  await deliveries();
  await imports();
} finally {
  removeTemporaryDirectories();
}
