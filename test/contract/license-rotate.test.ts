import { beforeAll, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { API, call } from '../support/client.ts';
import { type RunningService, run, SURE, sharedService } from '../support/service.ts';
import { rows } from '../support/store.ts';

let service: RunningService;
beforeAll(async () => {
  service = await sharedService();
});

const redoubt = (...args: string[]) => run('binary', service.env, ...args);
const rotate = async (id: string, ...options: string[]): Promise<{ key: string; until: string | null }> => {
  const { key, old_key_works_until: until } = JSON.parse(
    await service.command('license', 'rotate', id, ...options, '--json'),
  );
  return { key, until };
};
const previousKeyOf = async (id: string) =>
  JSON.parse(await service.command('license', 'show', id, '--json')).previous_key;
const me = async (key: string) => (await call(service.url, `${API}/me`, { key })).status;
const kept = () => rows(service, 'select * from previous_keys order by license_id');

/** Every way to send a key, and whether it is accepted. */
async function isTaken(key: string): Promise<boolean[]> {
  const post = (path: string, body: object, bearer: string | undefined = key) =>
    call(service.url, API + path, { method: 'POST', key: bearer, body });
  const heartbeat = { site_url: 'https://shop.com', license_key: key };
  return [
    (await me(key)) === 200,
    (await post('/auth/verify', {})).status === 200,
    (await post('/license/verify', { domain: 'shop.com' })).json.valid,
    (await post('/license/verify', { domain: 'shop.com', api_key: key }, undefined)).json.valid,
    (await post('/telemetry', heartbeat)).status === 200,
  ];
}
const ALL = Array(5).fill(true);
const NONE = Array(5).fill(false);

test('both keys are accepted in the grace period, then the new one only; the audit log has neither', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'pro', '--domain', 'shop.com');
  const { key: next, until } = await rotate(id, '--grace', '24h');
  expect([await isTaken(key), await isTaken(next)]).toEqual([ALL, ALL]);
  expect(Math.abs(Date.parse(until ?? '') - Date.now() - 24 * HOUR_MS)).toBeLessThan(HOUR_MS);
  expect(await previousKeyOf(id)).toEqual({ key: `rdt_live_…${key.slice(-4)}`, works_until: until });
  expect(await service.command('license', 'show', id)).toContain(`${key.slice(-4)}, works until ${until}`);

  expect(await service.command('audit', '--subject', id)).toContain(`oldKeyWorksUntil: ${until}`);
  const entries = JSON.stringify(rows(service, 'select * from audit_log'));
  for (const secret of [key, next]) expect(entries).not.toContain(secret.slice(-12));

  const number = Number(id.slice('lic_'.length));
  rows(service, 'update previous_keys set works_until = ? where license_id = ?', Date.now() - 1, number);
  rows(service, "update licenses set note = 'so that the server reads it anew' where id = ?", number);
  expect([await isTaken(key), await isTaken(next)]).toEqual([NONE, ALL]);
  expect(await previousKeyOf(id)).toBeNull();
});

test('a second rotation ends the first grace period, and reports that', async () => {
  const { license_id: id, key: first } = await service.issue('--plan', 'pro');
  const { key: second } = await rotate(id, '--grace', '7d');
  const { stderr, stdout } = await redoubt('license', 'rotate', id, '--grace', '1h', '--json');
  expect(stderr).toMatch(new RegExp(`^redoubt: the previous key, …${first.slice(-4)}, .* stops now\n$`));
  const { key: third } = JSON.parse(stdout);
  expect([await me(first), await me(second), await me(third)]).toEqual([401, 200, 200]);
  await rotate(id);
  expect([await me(second), await me(third)]).toEqual([401, 401]);
});

test('a revoked license is refused with its old key as well', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'pro');
  const { key: next } = await rotate(id, '--grace', '30d');
  expect([await me(key), await me(next)]).toEqual([200, 200]);
  await service.command('license', 'revoke', id, ...SURE);
  expect([await me(key), await me(next)]).toEqual([401, 401]);
  expect(await previousKeyOf(id)).toBeNull();
});

test('a grace period of more than 30 days is refused, and the keys stay', async () => {
  const { license_id: id, key } = await service.issue('--plan', 'pro');
  const before = kept();
  const { exitCode, stdout, stderr } = await redoubt('license', 'rotate', id, '--grace', '721h');
  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toBe('redoubt: the old key can keep working for at most 30 days\n');
  expect([await me(key), kept()]).toEqual([200, before]);
});
