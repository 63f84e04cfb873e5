import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { prepare } from '../../src/storage/engine/statement.ts';
import { API, call } from '../support/client.ts';
import { type FakeSite, openQuietSite } from '../support/fake-site.ts';
import { importDemo } from '../support/mirror.ts';
import {
  askAtOnce,
  askBatches,
  askEach,
  inDatabase,
  type Nodes,
  startNodes,
  whileCounted,
} from '../support/nodes.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { askScan, endedScan, issueControlled } from '../support/scans.ts';
import { type RunningService, SURE, until } from '../support/service.ts';

const UNLIMITED = { SERVICE_RATE_KEY_PER_MINUTE: '100000', SERVICE_RATE_IP_PER_MINUTE: '100000' };

const THREAT = {
  attackType: 'sql_injection',
  behaviorClass: 'automated_scanner',
  payloadHash: 'nodes',
  siteIdHash: 'site-hash',
  licenseIdHash: 'license-hash',
};

const sites: FakeSite[] = [];
afterEach(() => {
  for (const site of sites.splice(0)) site.close();
});
const quietSite = () => openQuietSite(sites);

let server: PostgresServer;
let nodes: Nodes;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop('SIGQUIT'));

/** Rows of a query on the nodes' database. */
const rows = <Row>(text: string): Promise<Row[]> =>
  inDatabase(nodes.env, (db) => prepare<Row>(db, text).all());

const everywhere = <Value>(ask: (service: RunningService) => Promise<Value>): Promise<Value[]> =>
  askEach(nodes, ask);

describe('three nodes on one database', () => {
  beforeAll(async () => {
    nodes = await startNodes(server, {
      ...UNLIMITED,
      SERVICE_BASE_URL: 'https://nodes.example.com',
      SERVICE_THREAT_FEED_ENABLED: '1',
      SERVICE_FEED_EPOCH_SECONDS: '2',
      SERVICE_FEED_MIN_AGE_HOURS: '0',
      SERVICE_SCAN_ALLOW_PRIVATE: '1',
    });
  });
  afterAll(() => nodes.end());

  test('that start together on an empty one are all ready, with one installation and the same keys', async () => {
    const ready = await everywhere(async ({ url }) => (await call(url, '/readyz')).json);
    expect(ready.map(({ status, problems }) => [status, problems])).toEqual(Array(3).fill(['ready', []]));
    const published = await everywhere(async ({ url }) =>
      ((await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
        ({ kid }) => kid,
      ),
    );
    expect(new Set(published.map(String)).size).toBe(1);
  });

  test('refuse a license everywhere as soon as the command that ends it has returned', async () => {
    for (const by of nodes.services) {
      const { key, license_id } = await by.issue('--plan', 'pro');
      const valid = () =>
        everywhere(
          async ({ url }) => (await call(url, `${API}/license/verify`, { key, body: {} })).json.valid,
        );
      expect(await valid()).toEqual([true, true, true]);
      await by.command('license', 'revoke', license_id, ...SURE);
      expect(await valid()).toEqual([false, false, false]);
    }
  });

  test('store an event once, on any node that gets the repetition', async () => {
    const { key } = await nodes.services[0].issue('--plan', 'pro', '--domain', 'a.example.com');
    const event_id = 'the-same';
    const body = { domain: 'a.example.com', events: [{ type: 'login_failed', event_id }] };
    const stored = await everywhere(
      async ({ url }) => (await call(url, `${API}/telemetry`, { key, body })).json.data,
    );
    expect(stored.map(({ events_accepted }) => events_accepted).toSorted()).toEqual([0, 0, 1]);
    const listed = await everywhere(
      async ({ url }) => (await call(url, `${API}/events`, { key })).json.data.events,
    );
    expect(listed.map((events) => events.length)).toEqual([1, 1, 1]);
  });

  test('serve one epoch of the feed under one ETag, computed by one of them', async () => {
    const licenses = await Promise.all(nodes.services.map((service) => service.issue('--plan', 'pro')));
    const feeds = () =>
      everywhere(async ({ url }) => {
        const { headers, json } = await call(url, `${API}/threat-feed`, { key: licenses[0]?.key ?? '' });
        return { etag: headers.get('etag'), entries: json.data.entries.length };
      });
    for (const [index, { key }] of licenses.entries()) {
      const reported = await call(nodes.services[index]?.url ?? '', `${API}/threat-report/report`, {
        key,
        body: THREAT,
      });
      expect(reported.status).toBe(200);
    }
    await until(async () => (await feeds()).some(({ entries }) => entries === 1));
    const first = Date.now();
    await until(async () => new Set((await feeds()).map(({ etag }) => etag)).size === 1);
    expect(Date.now() - first).toBeLessThan(1_000);
    const [{ counted }] = (await rows<{ counted: number }>(
      "select count(*) as counted from clock_work where name = 'feed' and due_at % 2000 = 0",
    )) as [{ counted: number }];
    expect(counted).toBe(1);
  });

  test('run a scan once, requested on any node, and report it alike', async () => {
    const { key } = await issueControlled(nodes.services[0]);
    // Otherwise it may end before the last one has asked.
    const areAsked = Promise.withResolvers<void>();
    const site_url = await openQuietSite(sites, areAsked.promise);
    const asked = await everywhere((service) => askScan(service, key, { site_url, scan_type: 'surface' }));
    areAsked.resolve();
    const ids = new Set(asked.map(({ json }) => json.data.scan_id));
    expect(ids.size).toBe(1);
    const ended = await everywhere((service) => endedScan(service, key, [...ids][0]));
    expect(ended.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect(ended[1]).toEqual(ended[0]);
    expect(ended[2]).toEqual(ended[0]);
  });

  test('keep one history of a license, signed on any node', async () => {
    const { key, license } = await issueControlled(nodes.services[0]);
    const site_url = await quietSite();
    let last = 0;
    for (const service of [...nodes.services, ...nodes.services]) {
      const { scan_id } = (await askScan(service, key, { site_url, scan_type: 'surface' })).json.data;
      await endedScan(service, key, scan_id);
      // A new entry is signed at most a minute later, and immediately for its proof.
      const { size, pending } = (await call(service.url, `${API}/evidence`, { key })).json.data;
      const proof = await fetch(`${service.url}${API}/evidence/entries/${size + pending - 1}/proof`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(proof.status).toBe(200);
      const now = (await call(service.url, `${API}/evidence`, { key })).json.data.size;
      expect(now).toBeGreaterThan(last);
      last = now;
    }
    const id = Number(license.slice('lic_'.length));
    expect(
      await rows(`select number, ended_at is null as open from evidence_logs where license_id = ${id}`),
    ).toMatchObject([{ number: 1 }]);
    const sizes = await rows<{ size: number }>(
      `select c.size from evidence_checkpoints c join evidence_logs l on l.id = c.log_id where l.license_id = ${id}`,
    );
    expect(sizes.length).toBeGreaterThanOrEqual(6);
  });

  test('share imported vulnerability data, each in its own file', async () => {
    const [importing, ...others] = nodes.services;
    await importDemo(importing);
    const { key } = await importing.issue('--plan', 'pro');
    const mirror = async ({ url }: RunningService) =>
      (await call(url, `${API}/vulnerabilities/mirror`, { key })).json.data;
    const there = await mirror(importing);
    for (const service of others) {
      await until(async () => (await mirror(service)).snapshot_id === there.snapshot_id);
      expect(filesOf(service)).toEqual(filesOf(importing));
    }
    await others[0]?.command('vulns', 'rollback').catch(() => {});
  });
});

const filesOf = ({ env }: RunningService): string[] =>
  readdirSync(env.SERVICE_DATA_DIR ?? '').filter((name) => name.startsWith('vulnerabilities-'));

describe('limits of three nodes', () => {
  const LIMIT = 12;
  beforeAll(async () => {
    nodes = await startNodes(server, {
      SERVICE_RATE_KEY_PER_MINUTE: String(LIMIT),
      SERVICE_RATE_IP_PER_MINUTE: '100000',
    });
  });
  afterAll(() => nodes.end());

  test('count a license over all of them, and return the remaining number', () =>
    whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const left: [number, number][] = [];
      for (let asked = 0; asked < LIMIT; asked++) {
        const { status, headers } = await call(nodes.services[asked % 3]?.url ?? '', `${API}/me`, { key });
        left.push([status, Number(headers.get('x-ratelimit-remaining'))]);
      }
      expect(left.map(([status]) => status)).toEqual(Array(LIMIT).fill(200));
      // A token returns every five seconds.
      for (const [index, [, remaining]] of left.entries())
        expect(remaining - (LIMIT - 1 - index)).toBeWithin(0, 2);
      const refused = await everywhere(({ url }) => call(url, `${API}/me`, { key }));
      expect(refused.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const { status, headers, json } of refused.filter(({ status }) => status !== 200)) {
        expect([status, json.error.code]).toEqual([429, 'RATE_LIMITED']);
        expect(Number(headers.get('retry-after'))).toBeWithin(1, 6);
      }
    }));

  test('apply exactly to concurrent requests', () =>
    whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const replies = await askAtOnce(nodes, key, 10);
      const allowed = replies.filter(({ status }) => status === 200);
      expect(allowed.length).toBeWithin(LIMIT, LIMIT + 2);
    }));

  test("apply a batch's units over all nodes together, all or none", () =>
    whileCounted(nodes, async () => {
      const { key } = await nodes.services[0].issue('--plan', 'pro');
      const replies = await askBatches(nodes, key);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429, 429]);
    }));

  test('include one daily budget for all of them', async () => {
    const options = ['--plan', 'pro', '--domain', 'a.example.com', '--daily-events', '5'];
    const { key } = await nodes.services[0].issue(...options);
    const body = { domain: 'a.example.com', events: [{ type: 'login_failed' }] };
    const replies = await Promise.all(
      Array.from({ length: 3 }, () => everywhere(({ url }) => call(url, `${API}/telemetry`, { key, body }))),
    );
    const stored = replies.flat().reduce((sum, { json }) => sum + (json.data?.events_accepted ?? 0), 0);
    expect(stored).toBe(5);
  });
});
