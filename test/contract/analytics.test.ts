import { beforeAll, describe, expect, test } from 'bun:test';
import { disconnect } from '../../src/storage/engine/database.ts';
import { API, call } from '../support/client.ts';
import { recount, rolledUp } from '../support/recount.ts';
import { type RunningService, sharedService, start, TARGETS, until } from '../support/service.ts';
import { openStore } from '../support/store.ts';
import { type Tenant, tenantOf } from '../support/tenant.ts';

const DAY_MS = 86_400_000;
const UNLIMITED = {
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
  SERVICE_DAILY_EVENTS: '0',
};
const SECTIONS = ['sites', 'siteDetails', 'severityBuckets', 'securityScores', 'aiVerdicts'];
const ZEROS = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describe('a snapshot', () => {
  test('of a tenant without data is zeros and all 30 buckets', async () => {
    const { json } = await (await tenantOf(service)).analytics();
    expect(json.data).toMatchObject({
      crossTenantDataServed: false,
      counters: { sites: 0, alertsOpen: 0, events: 0, eventsBySeverity: ZEROS },
      sites: [],
      siteDetails: [],
      securityScores: [],
      aiVerdicts: { malicious: 0, suspicious: 0, clean: 0 },
    });
    const { severityBuckets, generatedAt } = json.data;
    expect(severityBuckets.map(({ date }: { date: string }) => date)).toEqual(
      Array.from({ length: 30 }, (_, index) =>
        new Date(Date.parse(generatedAt) - (29 - index) * DAY_MS).toISOString().slice(0, 10),
      ),
    );
    for (const { date: _, ...counts } of severityBuckets) expect(counts).toEqual(ZEROS);
  });

  test('counts each event once, on the UTC day on which it occurred, however late it arrives', async () => {
    const tenant = await tenantOf(service);
    const events = [
      { type: 'x', severity: 'low', event_id: 'now' },
      { type: 'x', severity: 'high', event_id: 'late', occurred_at: daysAgo(3) },
      { type: 'x', severity: 'critical', event_id: 'old', occurred_at: daysAgo(40) },
    ];
    await tenant.send('shop.test', events);
    await tenant.send('shop.test', events);
    const { severityBuckets, counters, siteDetails, generatedAt } = (await tenant.analytics({})).json.data;
    expect(counters).toMatchObject({
      sites: 1,
      sitesActive: 1,
      events: 3,
      eventsBySeverity: { ...ZEROS, low: 1, high: 1, critical: 1 },
    });
    expect(siteDetails).toMatchObject([{ events: 3 }]);
    const at = (days: number) => new Date(Date.parse(generatedAt) - days * DAY_MS).toISOString().slice(0, 10);
    expect(severityBuckets.filter(({ low, high }: typeof ZEROS) => low + high > 0)).toEqual([
      { date: at(3), ...ZEROS, high: 1 },
      { date: at(0), ...ZEROS, low: 1 },
    ]);
  });

  test.each([
    ['no body at all', undefined],
    ['an empty object', {}],
  ])('%s returns every section', async (_, body) => {
    const { json } = await (await tenantOf(service)).analytics(body);
    expect(Object.keys(json.data).sort()).toEqual(
      [...SECTIONS, 'counters', 'generatedAt', 'crossTenantDataServed'].sort(),
    );
  });

  test('sections: [] returns only the counters, others exactly the named sections', async () => {
    const tenant = await tenantOf(service);
    const served = async (sections: string[]) =>
      Object.keys((await tenant.analytics({ sections })).json.data).filter((name) => SECTIONS.includes(name));
    expect(await served([])).toEqual([]);
    for (const section of SECTIONS) expect(await served([section, section])).toEqual([section]);
  });

  test('of more sites than one turn handles has each once, as in GET /sites', async () => {
    const tenant = await tenantOf(service);
    await Promise.all(
      Array.from({ length: 120 }, (_, site) =>
        tenant.heartbeat(`s${site}.test`, {
          plugin_version: `1.${site}`,
          events: [{ type: `kind_${site}`, severity: 'high' }],
        }),
      ),
    );
    const listed = (await tenant.get('/sites?limit=200')).json.data.sites;
    const { counters, sites, siteDetails, securityScores } = (await tenant.analytics()).json.data;
    const idsOf = (entries: { siteId: string }[]) => entries.map(({ siteId }) => siteId);
    const ids = listed.map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(120);
    for (const entries of [sites, siteDetails, securityScores]) expect(idsOf(entries)).toEqual(ids);
    expect(counters).toMatchObject({ sites: 120, events: 120, alertsOpen: 120 });
    expect(sites.map(({ securityScore }: { securityScore: number }) => securityScore)).toEqual(
      listed.map(({ security_score }: { security_score: number }) => security_score),
    );
  });

  test('is available to every plan, and to a suspended license', async () => {
    for (const plan of ['free', 'starter', 'pro', 'enterprise']) {
      const tenant = await tenantOf(service, '--plan', plan);
      expect((await tenant.analytics()).status).toBe(200);
      await service.command('license', 'suspend', tenant.licenseId, '--hold', 'payment');
      expect((await tenant.analytics()).status).toBe(200);
    }
  });
});

describe('a refused query', () => {
  const cases: readonly [name: string, body: unknown, status: number, code: string][] = [
    ['malformed JSON', '{', 400, 'ANALYTICS_INVALID_PAYLOAD'],
    ['null', 'null', 400, 'ANALYTICS_INVALID_PAYLOAD'],
    ['an array', [1], 400, 'ANALYTICS_INVALID_PAYLOAD'],
    ['a text', '"sites"', 400, 'ANALYTICS_INVALID_PAYLOAD'],
    ['another tenant named', { license_id: 'lic_1' }, 400, 'ANALYTICS_UNKNOWN_FIELD'],
    ['a field beside sections', { sections: [], tenant: 1 }, 400, 'ANALYTICS_UNKNOWN_FIELD'],
    ['sections that are no array', { sections: 'sites' }, 400, 'ANALYTICS_INVALID_QUERY'],
    ['sections that are null', { sections: null }, 400, 'ANALYTICS_INVALID_QUERY'],
    ['an entry that is no text', { sections: ['sites', 1] }, 400, 'ANALYTICS_INVALID_QUERY'],
    ['an unknown section', { sections: ['sites', 'sitez'] }, 400, 'ANALYTICS_UNKNOWN_SECTION'],
    ['a section of the prototype', { sections: ['__proto__'] }, 400, 'ANALYTICS_UNKNOWN_SECTION'],
    ['17 entries', { sections: Array(17).fill('sites') }, 400, 'ANALYTICS_QUERY_TOO_LARGE'],
    ['a body over 8 KiB', { sections: ['x'.repeat(8 * 1024)] }, 413, 'PAYLOAD_TOO_LARGE'],
  ];
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await tenantOf(service);
  });
  test.each(cases.map((each) => [...each] as const))('%s', async (_, body, status, code) => {
    const answer = await tenant.analytics(body);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.text).not.toContain('sitez');
  });

  test('a query string', async () => {
    const path = `${API}/analytics/metrics?sections=sites`;
    const { status, json } = await call(service.url, path, { key: tenant.key, body: {} });
    expect([status, json.error.code]).toEqual([400, 'ANALYTICS_INVALID_QUERY']);
  });

  test('16 entries are taken', async () => {
    expect((await tenant.analytics({ sections: Array(16).fill('sites') })).status).toBe(200);
  });

  test('no key', async () => {
    const { json } = await call(service.url, `${API}/analytics/metrics`, { body: {} });
    expect(json.error.code).toBe('UNAUTHORIZED');
  });
});

test.each([...TARGETS])(
  'two tenants with the same site receive no data of each other (%s)',
  async (target) => {
    const shared = await sharedService(target);
    const [one, two] = [await tenantOf(shared), await tenantOf(shared)];
    const mark = async (tenant: Tenant, sentinel: string, events: number) => {
      await tenant.heartbeat('same.test', { plugin_version: sentinel, stats: { [sentinel]: sentinel } });
      await tenant.send(
        'same.test',
        Array.from({ length: events }, (_, index) => ({
          type: `malware_${sentinel}`,
          severity: 'critical',
          message: sentinel,
          event_id: `${sentinel}-${index}`,
          metadata: { [sentinel]: sentinel },
        })),
      );
    };
    await mark(one, 'sentinel_one', 3);
    await mark(two, 'sentinel_two', 5);

    for (const [tenant, own, other, count] of [
      [one, 'sentinel_one', 'sentinel_two', 3],
      [two, 'sentinel_two', 'sentinel_one', 5],
    ] as const) {
      const [site] = (await tenant.get('/sites')).json.data.sites;
      const answers = [
        await tenant.analytics(),
        await tenant.get('/sites'),
        await tenant.get(`/sites/${site.id}`),
        await tenant.get('/events'),
        await tenant.get(`/events?site=${site.id}`),
        await tenant.get('/connect'),
        await tenant.get('/me'),
        await call(shared.url, `${API}/scan`, { key: tenant.key, body: { site_url: 'same.test' } }),
        await call(shared.url, `${API}/threat-feed`, { key: tenant.key }),
      ];
      for (const { status, headers } of answers) expect([status, headers.get('etag')]).toEqual([200, null]);
      const seen = answers.map(({ text }) => text).join();
      expect(seen).toContain(own);
      expect(seen).not.toContain(other);
      expect(answers[0]?.json.data.counters).toMatchObject({ sites: 1, events: count, alertsOpen: 1 });
      expect(answers[3]?.json.data.events).toHaveLength(count);
    }

    const [[site], [foreign]] = [
      (await one.get('/sites')).json.data.sites,
      (await two.get('/sites')).json.data.sites,
    ];
    expect(site.id).not.toBe(foreign.id);
    const [theirs, withoutData] = [
      await one.get(`/sites/${foreign.id}`),
      await one.get(`/sites/${'0'.repeat(24)}`),
    ];
    expect([theirs.status, theirs.json.error.code, theirs.text]).toEqual([
      404,
      'NOT_FOUND',
      withoutData.text,
    ]);
    expect((await one.get(`/events?site=${foreign.id}`)).json.data).toEqual({
      events: [],
      next_cursor: null,
    });
    await Promise.all([one.heartbeat('also.test'), two.heartbeat('also.test')]);
    for (const list of ['/sites', '/events']) {
      const { next_cursor } = (await one.get(`${list}?limit=1`)).json.data;
      expect((await one.get(`${list}?limit=1&cursor=${next_cursor}`)).status).toBe(200);
      const { status, json } = await two.get(`${list}?limit=1&cursor=${next_cursor}`);
      expect([status, json.error.code]).toEqual([400, 'INVALID_QUERY']);
    }
    expect(shared.log()).not.toContain('sentinel');
    expect(shared.log()).not.toContain('unexpected error');
  },
);

test('SIGKILL during ingest leaves rollups that equal a recount and include all acknowledged events', async () => {
  // Its own process: it is killed.
  const doomed = await start('binary', UNLIMITED);
  const tenant = await tenantOf(doomed);
  let acknowledged = 0;
  const clients = Array.from({ length: 8 }, async (_, client) => {
    while (doomed.process.exitCode === null && doomed.process.signalCode === null) {
      const events = Array.from({ length: 100 }, () => ({
        type: 'malware_found',
        occurred_at: daysAgo(client),
      }));
      const answer = await tenant.send(`site${client}.test`, events).catch(() => undefined);
      acknowledged += answer?.json.data.events_accepted ?? 0;
    }
  });
  await until(() => acknowledged > 5_000);
  await doomed.end('SIGKILL');
  await Promise.all(clients);

  const db = openStore(doomed);
  expect(await rolledUp(db)).toEqual(await recount(db));
  await disconnect(db);
  const revived = await start('binary', { ...UNLIMITED, ...doomed.env });
  const { json } = await call(revived.url, `${API}/analytics/metrics`, { key: tenant.key, body: {} });
  expect(json.data.counters.events).toBeGreaterThanOrEqual(acknowledged);
  await revived.end();
}, 30_000);
