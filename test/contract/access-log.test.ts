import { afterAll, beforeAll, expect, test } from 'bun:test';
import { generateLicenseKey } from '../../src/domain/license/license-key.ts';
import { API, call, type Reply, type Request } from '../support/client.ts';
import { type RunningService, SURE, start, until } from '../support/service.ts';
import { rows } from '../support/store.ts';

const VERIFY = `${API}/license/verify`;

let service: RunningService;
beforeAll(async () => {
  // Its own process: its metrics count every request.
  service = await start('binary');
});
afterAll(() => service.end());

/** The log entry of an answered request, except its time, duration and ids. */
async function logged({ headers }: Pick<Reply, 'headers'>): Promise<Record<string, unknown>> {
  const line = await until(() =>
    service
      .log()
      .split('\n')
      .find((each) => each.includes(`"${headers.get('x-request-id')}"`)),
  );
  const { time, level, message, request_id, duration_ms, ...facts } = JSON.parse(line);
  expect([level, message]).toEqual(['info', 'request']);
  return facts;
}

const ask = async (path: string, request: Request) => logged(await call(service.url, path, request));
const issue = (...options: string[]) => service.issue('--plan', 'free', ...options);

/** The count of the metrics by outcome and reason. */
async function outcomes(): Promise<Record<string, number>> {
  const { text } = await call(service.url, '/metrics');
  const pattern = /^redoubt_license_verify_outcomes_total\{outcome="(\w+)",reason="(\w*)"\} (\d+)$/gm;
  return Object.fromEntries(
    [...text.matchAll(pattern)].map(([, outcome, why, count]) => [why || outcome, Number(count)]),
  );
}

test('the log has the license, result and reason of every license/verify, and the metrics count it', async () => {
  const { license_id: id, key } = await issue('--domain', 'one.com');
  const verify = (verified: string, domain?: string) => ask(VERIFY, { key: verified, body: { domain } });
  const entry = { method: 'POST', route: VERIFY, status: 200 };
  expect(await verify(key, 'one.com')).toEqual({ ...entry, license: id, outcome: 'valid' });

  const invalid = { ...entry, license: id, outcome: 'invalid' };
  expect(await verify(key, 'other-zq7mark.com')).toEqual({ ...invalid, reason: 'site_limit_reached' });
  await service.command('license', 'block', id, '--domain', 'blocked-zq7mark.com');
  expect(await verify(key, 'blocked-zq7mark.com')).toEqual({ ...invalid, reason: 'blocked_domain' });
  expect(await verify(key, 'zq7mark is no domain')).toEqual({ ...invalid, reason: 'malformed_domain' });
  const unknown = { ...entry, outcome: 'invalid', reason: 'unknown_key' };
  expect(await verify('zq7mark')).toEqual(unknown);
  expect(await verify(generateLicenseKey('live'))).toEqual(unknown);

  const enter: Record<string, (id: string) => unknown> = {
    suspended: (name) => service.command('license', 'suspend', name, '--hold', 'operator'),
    expired: (name) => rows(service, 'update licenses set expires_at = 1 where id = ?', name.slice(4)),
    pending: (name) => rows(service, 'update licenses set pending_until = 1 where id = ?', name.slice(4)),
    revoked: (name) => service.command('license', 'revoke', name, ...SURE),
  };
  for (const [reason, become] of Object.entries(enter)) {
    const { license_id: license, key: mine } = await issue();
    await become(license);
    expect(await verify(mine)).toEqual({ ...invalid, license, reason });
  }

  expect(await outcomes()).toEqual({
    valid: 1,
    unknown_key: 2,
    revoked: 1,
    suspended: 1,
    expired: 1,
    pending: 1,
    malformed_domain: 1,
    blocked_domain: 1,
    site_limit_reached: 1,
  });
  expect(service.log()).not.toContain('zq7mark');
});

test('the log has the code of every refusal, and the license as soon as the key is known', async () => {
  const { license_id: license, key } = await issue('--domain', 'one.com');
  const heartbeat = { site_url: 'zq7mark.com', license_key: key };
  expect(await ask(`${API}/telemetry`, { key, body: heartbeat })).toMatchObject({
    code: 'SITE_LIMIT_REACHED',
    license,
  });
  expect(await ask(`${API}/brain/analyze`, { key, body: '{' })).toMatchObject({
    code: 'PLAN_REQUIRED',
    license,
  });
  const prolonging = { items: ['pro'], license_key: key };
  expect(await ask(`${API}/checkout`, { body: prolonging })).toMatchObject({
    code: 'LICENSE_NOT_PROLONGABLE',
    license,
  });
  rows(service, 'update licenses set expires_at = 1 where id = ?', license.slice(4));
  expect(await ask(`${API}/me`, { key })).toMatchObject({ status: 403, code: 'EXPIRED', license });
  await service.command('license', 'revoke', license, ...SURE);
  expect(await ask(`${API}/me`, { key })).toMatchObject({ status: 401, code: 'INVALID_KEY', license });

  const entry = { method: 'POST', route: VERIFY };
  expect(await ask(VERIFY, { body: '{zq7mark' })).toEqual({ ...entry, status: 400, code: 'INVALID_PAYLOAD' });
  const get = { method: 'GET', route: '-' };
  expect(await ask('/zq7mark', {})).toEqual({ ...get, status: 404, code: 'NOT_FOUND' });
  expect(await ask(VERIFY, { method: 'GET' })).toEqual({ ...get, status: 405, code: 'METHOD_NOT_ALLOWED' });
  expect(service.log()).not.toContain('zq7mark');
});
