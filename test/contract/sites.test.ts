import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { API, call } from '../support/client.ts';
import { type RunningService, start } from '../support/service.ts';
import { DECOY_TRIP, RESTORE, THREAT_REPORT } from '../support/signals.ts';
import { rows } from '../support/store.ts';
import { integrationStates, type Tenant, tenantOf } from '../support/tenant.ts';

const HOUR_MS = 3_600_000;

let service: RunningService;
beforeAll(async () => {
  // Its own process: its integration states depend on every request.
  service = await start('binary', {
    SERVICE_RATE_KEY_PER_MINUTE: '100000',
    SERVICE_RATE_IP_PER_MINUTE: '100000',
  });
});
afterAll(async () => {
  expect(service.log()).not.toContain('unexpected error');
  await service.end();
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const sitesOf = async (tenant: Tenant, query = '') => (await tenant.get(`/sites${query}`)).json.data;
const detailOf = async (tenant: Tenant) => {
  const [{ id }] = (await sitesOf(tenant)).sites;
  return (await tenant.get(`/sites/${id}`)).json.data;
};
const refused = async (tenant: Tenant, path: string) => {
  const { status, json } = await tenant.get(path);
  return [status, json.error.code];
};

/** Moves a site's last report back by some hours. */
const quieten = (domain: string, hours: number) =>
  rows(service, 'update sites set last_seen_at = ? where domain = ?', Date.now() - hours * HOUR_MS, domain);

describe('the list', () => {
  test('has a site from its first telemetry on, with the data of its heartbeat', async () => {
    const tenant = await tenantOf(service);
    expect(await sitesOf(tenant)).toEqual({ sites: [], next_cursor: null });
    await tenant.heartbeat('www.shop.test', { plugin_version: '2.1.0' });
    expect((await sitesOf(tenant)).sites).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        url: 'https://shop.test',
        status: 'active',
        alerts_open: 0,
        security_score: 100,
        last_seen_at: expect.any(String),
        plugin_version: '2.1.0',
      },
    ]);
  });

  test('filters by status: active within an hour, stale within a day, otherwise silent', async () => {
    const tenant = await tenantOf(service);
    for (const [domain, hours] of [
      ['fresh.test', 0.9],
      ['resting.test', 1.1],
      ['tired.test', 23.9],
      ['gone.test', 24.1],
    ] as const) {
      await tenant.heartbeat(domain);
      quieten(domain, hours);
    }
    const urls = async (query: string) =>
      (await sitesOf(tenant, query)).sites.map(({ url }: { url: string }) => url.slice(8));
    expect(await urls('?status=active')).toEqual(['fresh.test']);
    expect(await urls('?status=stale')).toEqual(['resting.test', 'tired.test']);
    expect(await urls('?status=silent')).toEqual(['gone.test']);
    expect(await urls('?status=stale&status=silent')).toEqual(['gone.test']);
    const { counters } = (await tenant.analytics()).json.data;
    expect(counters).toMatchObject({ sites: 4, sitesActive: 1, sitesStale: 2, sitesSilent: 1 });
  });

  test('has every site once on its pages while new ones arrive', async () => {
    const tenant = await tenantOf(service);
    for (let site = 0; site < 7; site++) await tenant.heartbeat(`s${site}.test`);
    const met: string[] = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page++) {
      const { sites, next_cursor } = await sitesOf(tenant, `?limit=3${cursor && `&cursor=${cursor}`}`);
      met.push(...sites.map(({ url }: { url: string }) => url));
      cursor = next_cursor;
      if (page === 0) await tenant.heartbeat('late.test');
      await tenant.heartbeat('s0.test');
    }
    expect(met).toEqual([
      ...Array.from({ length: 7 }, (_, site) => `https://s${site}.test`),
      'https://late.test',
    ]);
  });

  test.each([
    '?status=asleep',
    '?status=',
    '?limit=0',
    '?limit=201',
    '?limit=1.5',
    '?limit=-1',
    '?limit=many',
    '?limit=99999999999999999999',
    '?cursor=',
    '?cursor=abc',
    `?cursor=${Buffer.from('events:5').toString('base64url')}`,
    `?cursor=${Buffer.from('sites:-5').toString('base64url')}`,
    `?cursor=${'x'.repeat(4_000)}`,
    '?license_id=lic_1',
    '?__proto__=1',
  ])('refuses %s', async (query) => {
    const tenant = await tenantOf(service);
    expect(await refused(tenant, `/sites${query}`)).toEqual([400, 'INVALID_QUERY']);
  });
});

describe('the detail', () => {
  test("has the tenant's data, and 30 buckets that match the counters", async () => {
    const tenant = await tenantOf(service);
    await tenant.heartbeat('shop.test', { stats: { blocked: 4 }, plugin_version: '1.0' });
    await tenant.heartbeat('other.test', { plugin_version: '1.0' });
    await tenant.send('other.test', [{ type: 'x', severity: 'critical' }]);
    await tenant.send('shop.test', [
      { type: 'x', severity: 'low' },
      { type: 'x', severity: 'medium', occurred_at: hoursAgo(50) },
    ]);
    const detail = await detailOf(tenant);
    expect(detail).toMatchObject({
      url: 'https://shop.test',
      stats: { blocked: 4 },
      site_uuid: null,
      events: { total: 2, info: 0, low: 1, medium: 1, high: 0, critical: 0 },
      posture_scores: [],
      alerts: [],
    });
    const sums = detail.severity_buckets.map(({ date: _, ...counts }: Record<string, number>) =>
      Object.values(counts).reduce((sum, count) => sum + count),
    );
    expect([sums.length, sums.reduce((sum: number, count: number) => sum + count)]).toEqual([30, 2]);
  });

  test('explains its score: the points add up, and missing ones name what would raise it', async () => {
    const tenant = await tenantOf(service);
    await tenant.heartbeat('new.test', { plugin_version: '2.0.0' });
    await tenant.heartbeat('shop.test', { plugin_version: '1.9.9' });
    await tenant.send('shop.test', [{ type: 'malware_found', severity: 'critical' }]);
    const [, { id, security_score }] = (await sitesOf(tenant)).sites;
    const { score_factors } = (await tenant.get(`/sites/${id}`)).json.data;
    const sum = (field: string) =>
      score_factors.reduce(
        (total: number, factor: Record<string, number>) => total + (factor[field] ?? 0),
        0,
      );
    expect([sum('points'), sum('points_max')]).toEqual([security_score, 100]);
    for (const { points, points_max, remedy } of score_factors)
      expect(remedy !== null).toBe(points < points_max);
    expect(
      score_factors.map(({ factor, remedy }: Record<string, string>) => [factor, remedy !== null]),
    ).toEqual([
      ['open_alerts', true],
      ['contact', false],
      ['vulnerabilities', false],
      ['incidents', true],
      ['plugin_version', true],
    ]);
  });

  test.each([
    '/sites/1',
    '/sites/0',
    '/sites/%00',
    '/sites/%E0%A4%A',
    '/sites/..%2Fme',
    `/sites/${'x'.repeat(8_000)}`,
  ])('answers %s with NOT_FOUND', async (path) => {
    expect(await refused(await tenantOf(service), path)).toEqual([404, 'NOT_FOUND']);
  });
});

describe('alerts', () => {
  const alertsAfter = async (...requests: object[][]) => {
    const tenant = await tenantOf(service);
    for (const events of requests) await tenant.send('shop.test', events);
    const [site] = (await sitesOf(tenant)).sites;
    const detail = await detailOf(tenant);
    const { counters } = (await tenant.analytics()).json.data;
    expect([detail.alerts_open, detail.alerts.length, counters.alertsOpen]).toEqual(
      Array(3).fill(site.alerts_open),
    );
    return detail.alerts.map(({ subject, severity }: Record<string, string>) => `${subject} ${severity}`);
  };
  const found = { type: 'malware_found', severity: 'critical' };

  test('open one for each subject, with any number of events', async () => {
    expect(
      await alertsAfter([found, found, { type: 'malware_detected' }, { type: 'sql_injection' }]),
    ).toEqual(['malware critical', 'sql_injection high']);
  });

  test('do not open for a low severity or a blocked attack', async () => {
    const blocked = { type: 'malware_blocked', severity: 'critical' };
    expect(await alertsAfter([blocked, { type: 'x', severity: 'medium' }, { type: 'login_failed' }])).toEqual(
      [],
    );
  });

  test('close by a resolving event, and open again by later ones', async () => {
    const quarantined = { type: 'malware_quarantined', occurred_at: hoursAgo(2) };
    expect(await alertsAfter([{ ...found, occurred_at: hoursAgo(3) }], [quarantined])).toEqual([]);
    expect(await alertsAfter([quarantined], [{ ...found, occurred_at: hoursAgo(3) }])).toEqual([]);
    expect(await alertsAfter([quarantined], [{ ...found, occurred_at: hoursAgo(1) }])).toEqual([
      'malware critical',
    ]);
  });

  test('close automatically seven days after the last event', async () => {
    const seven = 7 * 24;
    expect(await alertsAfter([{ ...found, occurred_at: hoursAgo(seven + 0.1) }])).toEqual([]);
    expect(await alertsAfter([{ ...found, occurred_at: hoursAgo(seven - 0.1) }])).toEqual([
      'malware critical',
    ]);
  });

  test('and their resolutions of the same moment in one request count in the order of the request', async () => {
    const resolved = { type: 'malware_resolved' };
    expect(await alertsAfter([found, resolved])).toEqual([]);
    expect(await alertsAfter([resolved, found])).toEqual(['malware critical']);
    const occurred_at = hoursAgo(1);
    const at = (event: object) => ({ ...event, occurred_at });
    expect(await alertsAfter([at(found), at(resolved)])).toEqual([]);
    expect(await alertsAfter([at(resolved), at(found), at(resolved), at(found)])).toEqual([
      'malware critical',
    ]);
  });

  test('of a type that ends with _ are closed like others', async () => {
    expect(await alertsAfter([{ type: 'malware_' }], [{ type: 'malware__resolved' }])).toEqual([]);
  });

  const kinds = (from: number, to: number, more: object) =>
    Array.from({ length: to - from }, (_, index) => ({ type: `kind_${from + index}`, ...more }));
  const resolvedKinds = (from: number, to: number) =>
    kinds(from, to, {}).map(({ type }) => ({ type: `${type}_resolved` }));

  test('of 50 subjects of a site can each be closed, and dropped ones are counted', async () => {
    const tenant = await tenantOf(service);
    const standing = async () => {
      const { alerts_open, more_alerts } = await detailOf(tenant);
      const [details] = (await tenant.analytics()).json.data.siteDetails;
      expect(details.moreAlerts).toBe(more_alerts);
      return [alerts_open, more_alerts];
    };
    await tenant.send('shop.test', kinds(0, 50, { severity: 'high' }));
    expect(await standing()).toEqual([50, false]);
    await tenant.send('shop.test', resolvedKinds(0, 25));
    await tenant.send('shop.test', kinds(50, 75, { severity: 'high' }));
    expect(await standing()).toEqual([50, false]);
    await tenant.send('shop.test', [{ type: 'rce_found', severity: 'critical', occurred_at: hoursAgo(1) }]);
    expect(await standing()).toEqual([50, true]);
    await tenant.send('shop.test', [...resolvedKinds(25, 75), { type: 'rce_resolved' }]);
    expect(await standing()).toEqual([0, true]);
  });
});

test('the integrations report their actual state', async () => {
  const tenant = await tenantOf(service);
  const states = () => integrationStates(service.url, tenant.key);
  expect(await states()).toEqual({
    license_verification: 'available',
    plugin_telemetry: 'available',
    posture_signals: 'available',
    threat_reports: 'available',
    vulnerability_mirror: 'disabled',
    threat_feed: 'disabled',
    surface_scans: 'available',
    credentials: 'disabled',
    trust_badge: 'disabled',
    analysis_endpoint: 'disabled',
    payments: 'disabled',
    metrics: 'available',
    log_shipping: 'active',
  });
  await tenant.heartbeat('joined.test');
  await call(service.url, `${API}/license/verify`, { key: tenant.key, body: {} });
  await call(service.url, '/metrics');
  for (const { path, body } of [DECOY_TRIP, THREAT_REPORT]) {
    expect((await call(service.url, API + path, { key: tenant.key, body })).status).toBe(200);
  }
  expect(await states()).toMatchObject({
    license_verification: 'active',
    plugin_telemetry: 'active',
    posture_signals: 'active',
    threat_reports: 'active',
    metrics: 'active',
  });
  quieten('joined.test', 25);
  expect(await states()).toMatchObject({ plugin_telemetry: 'available' });
});

test('a signal of one named site is posture of the tenant, and of no other tenant', async () => {
  const [tenant, other] = [await tenantOf(service), await tenantOf(service)];
  const posture = async ({ key }: Tenant) => (await integrationStates(service.url, key)).posture_signals;
  const { path, body } = RESTORE;
  const sent = await call(service.url, API + path, {
    key: tenant.key,
    body: { ...body, siteIdHash: 'one-of-many' },
  });
  expect([sent.status, await posture(tenant), await posture(other)]).toEqual([200, 'active', 'available']);
  rows(service, 'update signal_snapshots set received_at = received_at - ?', 8 * 24 * HOUR_MS);
  expect(await posture(tenant)).toBe('available');
});

test('where the operator sets the newest version of the plugin, sites are compared with it', async () => {
  const released = await start('binary', { SERVICE_PLUGIN_VERSION: '2.5.0' });
  const tenant = await tenantOf(released);
  const pointsOf = async (site: string) => {
    const { sites } = (await tenant.get('/sites')).json.data;
    const { id } = sites.find(({ url }: { url: string }) => url === `https://${site}`);
    const { score_factors } = (await tenant.get(`/sites/${id}`)).json.data;
    return score_factors.find(({ factor }: { factor: string }) => factor === 'plugin_version');
  };
  const findings = async (site_url: string) => {
    const { json } = await call(released.url, `${API}/scan`, { key: tenant.key, body: { site_url } });
    return json.data.findings.map(({ id }: { id: string }) => id);
  };

  await tenant.heartbeat('old.test', { plugin_version: '2.4.1' });
  expect(await pointsOf('old.test')).toMatchObject({
    points: 3,
    finding: 'The plugin is older than the newest known version, 2.5.0.',
  });
  expect(await findings('old.test')).toEqual(['plugin_outdated']);
  for (const version of ['2.5.0', '3.0.0-beta']) {
    await tenant.heartbeat('new.test', { plugin_version: version });
    expect([version, (await pointsOf('new.test')).points]).toEqual([version, 8]);
  }
  await released.end();
});
