/**
 * Costs of notifications: `bun test/bench/notifications.bench.ts` builds the executable, or takes the one that REDOUBT_EXECUTABLE names.
 * Webhooks a second, signed and over TLS, to a receiver on this host, while a million events wait for 100 targets; the time of an import
 * that finds a vulnerability on 100,000 sites, and of license/verify meanwhile; and the time of an event without a target.
 */

import { generateKeyPairSync } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Target } from '../../src/domain/notification/target.ts';
import { keyOf } from '../../src/domain/signing/ed25519-key.ts';
import { nameHash } from '../../src/domain/vulnerability/ecosystem.ts';
import { createLog } from '../../src/lib/log.ts';
import { createTransports } from '../../src/outside/notify/deliver-to.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { disconnect, inTransaction } from '../../src/storage/engine/database.ts';
import { connect } from '../../src/storage/engine/sqlite/database.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { prepareJobs } from '../../src/storage/jobs.ts';
import { storeComponents } from '../../src/storage/vulnerabilities/stored-components.ts';
import { API } from '../support/client.ts';
import { addTwoTenants, newDatabase } from '../support/database.ts';
import { feedFile, wordfenceFeed, wordfenceRecord } from '../support/feeds.ts';
import { notificationNode } from '../support/notification-node.ts';
import { addTarget } from '../support/notifications.ts';
import { CA, certificateFor, HOST, networkTo } from '../support/receivers.ts';
import { runAlone, start, UNLIMITED } from '../support/service.ts';
import { removeTemporaryDirectories, temporaryDirectory } from '../support/temporary.ts';
import { askEvenly, at, type Waiting } from './beside.ts';
import { median } from './rounds.ts';

const [TARGETS, WAITING] = [100, 10_000];
const MEASURED_MS = 10_000;
const ROUNDS = 3;
const [LICENSES, SITES, COMPONENTS] = [1_000, 100, 30];
const log = createLog({ level: 'warn', json: true });
const seconds = (since: number) => (performance.now() - since) / 1_000;

/** Starts a receiver in its own thread; returns its port. */
function receiver(): Promise<number> {
  const worker = new Worker(
    `const { parentPort, workerData: tls } = require('node:worker_threads');
    const fetch = async (request) => { await request.text(); return new Response(null, { status: 204 }); };
    parentPort.postMessage(Bun.serve({ port: 0, tls, fetch }).port);`,
    { eval: true, workerData: certificateFor() },
  );
  worker.unref();
  return new Promise((resolve) => worker.once('message', resolve));
}

async function deliveries(): Promise<void> {
  const path = newDatabase();
  const db = connect(path);
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  for (let at = 0; at < TARGETS; at++) await addTarget(db, `target-${at}`, { events: ['audit'], ca: CA });
  await execute(
    db,
    `insert into outbox (public_id, type, severity, at, data)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${WAITING})
      select 'evt_' || i, 'audit', 'info', 1, '{"action":"license.change","subject":"lic_1"}' from n;
    insert into deliveries (target_id, event_id, due_at) select targets.id, outbox.id, 1 from targets, outbox;
    update target_states set waiting = ${WAITING}, next_due_at = 1;`,
  );
  const key = keyOf(generateKeyPairSync('ed25519').privateKey);
  const { deliverTo, close } = createTransports<Target>({
    network: networkTo(await receiver()),
    allowPrivateOf: () => false,
    version: '1',
    now: Date.now,
    signer: async () => key,
    server: undefined,
  });
  const node = notificationNode(connect(path), {
    log,
    now: Date.now,
    deliver: (target) => deliverTo({ ...target, address: `https://${HOST}/`, secrets: [secret] }),
  });
  const sent = () => node.counts.get('webhook delivered') ?? 0;
  const renewing = setInterval(() => node.renew(), 5_000);
  await node.look();
  for (let round = 1; round <= ROUNDS; round++) {
    const [began, before] = [performance.now(), sent()];
    await new Promise((resolve) => setTimeout(resolve, MEASURED_MS));
    console.log(
      `${Math.round((sent() - before) / seconds(began))} webhooks a second, ${TARGETS * WAITING} waiting`,
    );
  }
  console.log([...node.counts].join(' '));
  clearInterval(renewing);
  await node.stop();
  close();
  await disconnect(db);
}

async function imports(): Promise<void> {
  const env = { ...UNLIMITED, SERVICE_DATA_DIR: temporaryDirectory() };
  const redoubt = async (...words: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await runAlone('binary', env, ...words);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout;
  };
  await redoubt('init');
  const db = connect(databasePath(env.SERVICE_DATA_DIR));
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
          ecosystem: 'wordpress-plugin',
          name: null,
          nameHash: nameHash('wordpress-plugin', name),
          version: '1.2.3',
          status: 'active' as const,
          since: 1,
          activeSince: 1,
          firstSeen: {},
        };
      });
      await insert.run(storeComponents({ components, gone: [] }), site);
    }
  });
  for (let at = 0; at < 10; at++) await addTarget(db, `target-${at}`, { address: 'https://hooks.invalid/' });
  const issued = await redoubt('license', 'issue', '--plan', 'pro', '--domain', 'example.com', '--json');
  const headers = { authorization: `Bearer ${JSON.parse(issued).key}` };
  const service = await start('binary', env);
  const verify = (lasting: number): Promise<Waiting> =>
    askEvenly(
      () =>
        fetch(`${service.url}${API}/license/verify`, {
          method: 'POST',
          headers,
          body: '{"domain":"example.com"}',
        }),
      lasting,
    );
  // In turn, so that each import changes something.
  const feeds = ['1.2.3', '1.2.2'].map((to) => {
    const [software] = wordfenceRecord().software as [Record<string, unknown>];
    const versions = { all: { from_version: '*', from_inclusive: true, to_version: to, to_inclusive: true } };
    return feedFile(
      wordfenceFeed(wordfenceRecord({ software: [{ ...software, affected_versions: versions }] })),
    );
  });
  const rows: Record<string, number>[] = [];
  let lasting = 5;
  await verify(lasting);
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const alone = await verify(lasting);
    const began = performance.now();
    const took = redoubt('vulns', 'import', feeds[round % 2] ?? '', '--force').then(() => seconds(began));
    const next = await verify(lasting);
    rows.push({
      'import, s': Number((await took).toFixed(1)),
      'p50 alone': at(alone.times, 0.5),
      'p50 next to it': at(next.times, 0.5),
      'p99 alone': at(alone.times, 0.99),
      'p99 next to it': at(next.times, 0.99),
    });
    lasting = Math.max(lasting, Math.ceil(await took));
  }
  await service.end();
  console.table(rows);
  const medians = Object.keys(rows[0] ?? {}).map((name) => [name, median(rows.map((row) => row[name] ?? 0))]);
  console.log(`${LICENSES * SITES} sites, medians:`, Object.fromEntries(medians));
  const events = await prepare<{ type: string; events: number; waiting: number }>(
    db,
    `select type, count(distinct outbox.id) as events, count(*) as waiting from outbox join deliveries on event_id = outbox.id
      where type like 'vulnerability%' group by type`,
  ).all();
  console.table(events);
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
