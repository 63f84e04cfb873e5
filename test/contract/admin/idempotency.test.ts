import { beforeAll, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import { SCOPES } from '../../../src/domain/admin/scope.ts';
import { type Admin, adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { type RunningService, sharedService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const DAY_MS = 86_400_000;

let service: RunningService;
let admin: Admin;
beforeAll(async () => {
  service = await sharedService();
  admin = adminOf(service, await tokenOf(service, SCOPES, 'idempotency'));
});

const countOf = (table: string, on = service) =>
  Number(rows(on, `select count(*) as count from ${table}`)[0]?.count);
const issue = async () => (await admin('/licenses', { body: { plan: 'pro' } })).json.data.license.license_id;

test('a repeated request does nothing again, and returns the current license without a key', async () => {
  const body = { plan: 'pro', external_id: 'order-1' };
  const first = (await admin('/licenses', { once: 'order-1', body })).json.data;
  expect([first.key, first.replayed]).toEqual([expect.stringMatching(/^rdt_live_/), false]);
  const { license_id } = first.license;
  await admin(`/licenses/${license_id}/suspend`, { body: { hold: 'operator' } });
  const before = countOf('audit_log');
  const again = (await admin('/licenses', { once: 'order-1', body })).json.data;
  expect(again).toMatchObject({ key: null, replayed: true, license: { license_id, status: 'suspended' } });

  const rotation = `/licenses/${license_id}/rotate`;
  const rotated = (await admin(rotation, { once: 'r', body: { grace_hours: 1 } })).json.data;
  const rotatedAgain = (await admin(rotation, { once: 'r', body: { grace_hours: 1 } })).json.data;
  expect(rotatedAgain).toEqual({ ...rotated, key: null, replayed: true });
  const many = { licenses: [{}, { key: 'foreign-key-of-16' }], plan: 'free' };
  const imported = (await admin('/licenses/import', { once: 'i', body: many })).json.data;
  expect(imported.keys).toHaveLength(1);
  const importedAgain = (await admin('/licenses/import', { once: 'i', body: many })).json.data;
  expect(importedAgain).toEqual({ ...imported, keys: null, replayed: true });
  expect(countOf('audit_log') - before).toBe(1 + 3);

  const kept = JSON.stringify(rows(service, 'select * from admin_requests'));
  for (const key of [first.key, rotated.key, imported.keys[0].key, 'foreign-key-of-16'])
    expect(kept).not.toContain(key);
});

test('the same key with another body is refused; with another token or path it is a new request', async () => {
  const other = adminOf(service, await tokenOf(service, SCOPES, 'other'));
  const [one, two] = [await issue(), await issue()];
  const ask = async (by: Admin, license: string, body: object, once = 'same') => {
    const { status, json } = await by(`/licenses/${license}/change`, { once, body });
    return [status, json.error?.code ?? json.data.replayed];
  };
  expect(await ask(admin, one, { note: 'a' })).toEqual([200, false]);
  const before = countOf('audit_log');
  expect(await ask(admin, one, { note: 'b' })).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  expect(countOf('audit_log')).toBe(before);
  expect(await ask(admin, one, { note: 'a' })).toEqual([200, true]);
  expect(await ask(other, one, { note: 'b' })).toEqual([200, false]);
  expect(await ask(admin, two, { note: 'a' })).toEqual([200, false]);
  expect(await ask(admin, one, { note: 'c' }, 'another')).toEqual([200, false]);
});

test.each(['with blanks', 'é', 'x'.repeat(256), ''])(
  'the key %p is refused, and nothing is done',
  async (once) => {
    const before = countOf('licenses');
    const { status, json } = await admin('/licenses', { once, body: { plan: 'pro' } });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
    expect(countOf('licenses')).toBe(before);
  },
);

test('a refused request may be repeated with its key, once its obstacle is gone', async () => {
  const body = { plan: 'pro', external_id: 'order-2' };
  const { license } = (await admin('/licenses', { body })).json.data;
  const refused = await admin('/licenses', { once: 'retry', body });
  expect([refused.status, refused.json.error.license_id]).toEqual([409, license.license_id]);
  await admin(`/licenses/${license.license_id}/revoke`, { method: 'POST' });
  const done = (await admin('/licenses', { once: 'retry', body })).json.data;
  expect(done).toMatchObject({ replayed: false, key: expect.any(String) });
});

test.each([
  ['/licenses', { plan: 'pro' }, 'license.issue'],
  ['/licenses/import', { licenses: [{ plan: 'pro' }] }, 'license.import'],
])('ten concurrent requests with one key at %s are one act, like all others', async (path, body, action) => {
  const before = auditOf(service, action).length;
  const all = await Promise.all(Array.from({ length: 10 }, () => admin(path, { once: 'ten', body })));
  const replayed = all.map(({ json }) => json.error?.code ?? json.data.replayed);
  expect(replayed.sort()).toEqual([false, ...Array(9).fill(true)]);
  expect(auditOf(service, action).length - before).toBe(1);
});

test('after 24 hours a request is done again', async () => {
  const ask = async () =>
    (await admin('/licenses', { once: 'daily', body: { plan: 'pro' } })).json.data.replayed;
  expect([await ask(), await ask()]).toEqual([false, true]);
  const setBack = (ms: number) =>
    rows(
      service,
      'update admin_requests set done_at = ? where key_hash = ?',
      Date.now() - ms,
      hash('sha256', 'daily', 'base64url'),
    );
  setBack(DAY_MS - 60_000);
  expect(await ask()).toBe(true);
  setBack(DAY_MS);
  expect([await ask(), await ask()]).toEqual([false, true]);
});

test('a crash right after the answer loses neither the license nor the record of the request', async () => {
  // Its own process: it is killed.
  const doomed = await start('binary');
  const token = await tokenOf(doomed);
  const body = { plan: 'pro', external_id: 'order-3' };
  const { license } = (await adminOf(doomed, token)('/licenses', { once: 'crash', body })).json.data;
  await doomed.end('SIGKILL');
  const after = await start('binary', doomed.env);
  const again = (await adminOf(after, token)('/licenses', { once: 'crash', body })).json.data;
  expect(again).toMatchObject({ replayed: true, license: { license_id: license.license_id } });
  expect(countOf('licenses', after)).toBe(1);
  await after.end();
});

test('forgetting a customer removes its data from recorded requests', async () => {
  const [customer, email, external_id, note] = ['Zebra Ltd', 'zebra@example.com', 'zebra-1', 'zebra note'];
  const body = { plan: 'pro', customer, email, external_id, note };
  const { license } = (await admin('/licenses', { once: 'zebra', body })).json.data;
  const path = `/licenses/${license.license_id}`;
  await admin(`${path}/change`, { once: 'zebra', body: { note: 'zebra again' } });
  const twin = { licenses: [{ customer, email, external_id, note, plan: 'pro' }], dry_run: true };
  const tried = await admin('/licenses/import', { once: 'zebra', body: twin });
  expect(tried.json.data.refusals).toHaveLength(1);
  await admin(`${path}/forget`, { once: 'zebra', method: 'POST' });
  const id = license.license_id;
  const requests = 'select * from admin_requests where key_hash = ?';
  const kept = [
    rows(service, requests, hash('sha256', 'zebra', 'base64url')),
    rows(service, 'select * from licenses where id = ?', Number(id.slice('lic_'.length))),
    rows(service, 'select * from audit_log where subject = ?', id),
  ];
  expect(kept.map(({ length }) => length)).toEqual([3, 1, 3]);
  expect(JSON.stringify(kept)).toContain(id);
  expect(JSON.stringify(kept)).not.toMatch(/zebra/i);
});
