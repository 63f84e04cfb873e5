import { expect, test } from 'bun:test';
import { call } from '../support/client.ts';
import { type RunningService, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { tenantOf } from '../support/tenant.ts';

// Needs many starts of the service.

const DAY_MS = 86_400_000;
const PROBLEM = 'the clock is more than a day behind the newest data';

/** A service that was started when the clock had gone back, as far as its data can tell. */
async function startedBehind(
  change: (service: RunningService, now: number) => void,
): Promise<RunningService> {
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
])('a clock 400 days behind %s at the start is told, and service goes on', async (_, sql) => {
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

test.concurrent('it is ready by itself as soon as the clock is less than a day behind', async () => {
  const service = await startedBehind((stopped, now) =>
    rows(stopped, 'update sites set last_seen_at = ?', now + DAY_MS + 5_000),
  );
  expect(await ready(service)).toEqual([503, [PROBLEM]]);
  await until(async () => (await ready(service))[0] === 200);
  await service.end();
});

test.concurrent('a clock that is less than a day behind is as good as any', async () => {
  const service = await startedBehind((stopped, now) =>
    rows(stopped, 'update sites set last_seen_at = ?', now + DAY_MS - 60_000),
  );
  expect(await ready(service)).toEqual([200, []]);
  expect(warnings(service)).toEqual([]);
  await service.end();
});
