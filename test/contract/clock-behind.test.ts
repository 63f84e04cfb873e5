import { expect, test } from 'bun:test';
import { call } from '../support/client.ts';
import { type RunningService, run, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { tenantOf } from '../support/tenant.ts';

// Needs many starts of the service.

const DAY_MS = 86_400_000;
const PROBLEM = 'the clock is more than a day behind the newest data';

/** A service started after the clock went back, according to its data. */
async function startedBehind(
  change: (service: RunningService, now: number) => void,
): Promise<RunningService> {
  // Its own process: it starts with rows in the future.
  const before = await start('binary');
  const tenant = await tenantOf(before);
  await tenant.heartbeat('shop.test');
  await before.end();
  change(before, Date.now());
  return start('binary', before.env);
}
const ready = async (service: RunningService) => {
  const { status, json } = await call(service.url, '/readyz');
  return [status, json.problems];
};
const warnings = (service: RunningService) =>
  service
    .log()
    .split('\n')
    .filter((line) => line.includes('"level":"warn"') && line.includes(PROBLEM));

test.concurrent.each([
  ['a site', 'update sites set last_seen_at = ?'],
  ['a license', 'update licenses set created_at = ?'],
])('a clock 400 days behind %s at the start is reported, and the service continues', async (_, sql) => {
  let newest = 0;
  const service = await startedBehind((stopped, now) => {
    newest = now + 400 * DAY_MS;
    rows(stopped, sql, newest);
  });
  expect(await ready(service)).toEqual([503, [PROBLEM]]);
  expect(warnings(service).map((line) => JSON.parse(line).newest)).toEqual([new Date(newest).toISOString()]);
  expect((await call(service.url, '/healthz')).status).toBe(200);
  expect((await (await tenantOf(service)).heartbeat('other.test')).status).toBe(200);
  await service.end();
});

test.concurrent('the service becomes ready automatically as soon as the clock is less than a day behind', async () => {
  const service = await startedBehind((stopped, now) =>
    rows(stopped, 'update sites set last_seen_at = ?', now + DAY_MS + 5_000),
  );
  expect(await ready(service)).toEqual([503, [PROBLEM]]);
  await until(async () => (await ready(service))[0] === 200);
  await service.end();
});

test.concurrent('a clock less than a day behind has no effect', async () => {
  const service = await startedBehind((stopped, now) =>
    rows(stopped, 'update sites set last_seen_at = ?', now + DAY_MS - 60_000),
  );
  expect(await ready(service)).toEqual([200, []]);
  expect(warnings(service)).toEqual([]);
  await service.end();
});

test.concurrent('"clock accept" corrects rows in the future, lists them, and readiness returns without a restart', async () => {
  const service = await startedBehind((stopped, now) => {
    const ahead = now + 400 * DAY_MS;
    rows(stopped, 'update sites set first_seen_at = ?, last_seen_at = ?', ahead, ahead);
    rows(stopped, 'update licenses set created_at = ?', ahead);
    rows(
      stopped,
      "insert into license_domains (license_id, domain, bound_at, bound_by) values (1, 'shop.com', ?, 'operator')",
      ahead,
    );
  });
  expect(await ready(service)).toEqual([503, [PROBLEM]]);
  const { stdout } = await run('binary', service.env, 'doctor');
  expect(stdout).toContain('licenses.created_at: 1 row (1), until');
  expect(stdout).toContain('redoubt clock accept');
  const changed = await service.command('clock', 'accept', '--reason', 'the clock ran ahead');
  for (const column of [
    'licenses.created_at',
    'license_domains.bound_at',
    'sites.first_seen_at',
    'sites.last_seen_at',
  ])
    expect(changed).toContain(`${column}: 1 row (1), until`);
  await until(async () => (await ready(service))[0] === 200);
  const [entry] = rows(service, "select reason, before from audit_log where action = 'clock.accept'");
  expect(entry).toEqual({
    reason: 'the clock ran ahead',
    before: expect.stringContaining('licenses.created_at'),
  });
  const late = 'select 1 from licenses where created_at > ? union select 1 from sites where last_seen_at > ?';
  expect(rows(service, late, Date.now(), Date.now())).toEqual([]);
  expect(await service.command('clock', 'accept')).toBe('');
  expect(rows(service, "select 1 from audit_log where action = 'clock.accept'")).toHaveLength(1);
  await service.end();
  const again = await start('binary', service.env);
  expect(await ready(again)).toEqual([200, []]);
  await again.end();
});
