import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type RunningService, start } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { integrationStates, tenantOf } from '../support/tenant.ts';

const HOUR_MS = 3_600_000;

let service: RunningService;
beforeAll(async () => {
  // Its own process: the rate limit is a setting.
  service = await start('binary', { SERVICE_RATE_KEY_PER_MINUTE: '20' });
});
afterAll(() => service.end());

test("with many sites, heartbeats are less frequent, and a site's state takes that into account", async () => {
  const tenant = await tenantOf(service, '--plan', 'enterprise');
  expect((await tenant.heartbeat('one.test')).json.data.next_heartbeat_seconds).toBe(300);
  rows(
    service,
    `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 1199)
      insert into sites (license_id, domain, first_seen_at, last_seen_at)
        select ?, 'more' || n || '.test', 0, 0 from counted`,
    Number(tenant.licenseId.slice('lic_'.length)),
  );
  expect((await tenant.heartbeat('one.test')).json.data.next_heartbeat_seconds).toBe(7_200);

  const judgedAfter = async (hours: number) => {
    rows(
      service,
      "update sites set last_seen_at = ? where domain = 'one.test'",
      Date.now() - hours * HOUR_MS,
    );
    const { sites } = (await tenant.get('/sites')).json.data;
    const status = sites[0].status;
    const filtered = (await tenant.get(`/sites?status=${status}`)).json.data.sites;
    return [status, filtered.length];
  };
  expect(await judgedAfter(5.9)).toEqual(['active', 1]);
  expect(await judgedAfter(6.1)).toEqual(['stale', 1]);
  expect((await tenant.analytics()).json.data.counters).toMatchObject({ sitesStale: 1, sitesSilent: 0 });
  expect((await integrationStates(service.url, tenant.key)).plugin_telemetry).toBe('active');
  expect(await judgedAfter(24.1)).toEqual(['silent', 1]);
  expect((await integrationStates(service.url, tenant.key)).plugin_telemetry).toBe('available');
});
