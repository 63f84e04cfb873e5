import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { SCOPES } from '../../../src/domain/admin/scope.ts';
import { type Admin, adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { type RunningService, sharedService } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
let admin: Admin;
/** The newest license, and the number of audit entries, before a test. */
let [newest, audited] = [0, 0];
beforeAll(async () => {
  service = await sharedService();
  admin = adminOf(service, await tokenOf(service, SCOPES, 'concurrency'));
});
beforeEach(() => {
  newest = Number(rows(service, 'select max(id) as id from licenses')[0]?.id);
  audited = auditOf(service, 'license.issue').length;
});

const many = <Value>(count: number, make: (at: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));
const issue = (external_id: string) => admin('/licenses', { body: { plan: 'pro', external_id } });
const licenses = () => rows(service, 'select id, external_id from licenses where id > ? order by id', newest);

test('ten concurrent requests with one external id issue one license, and nine refusals name it', async () => {
  const replies = await many(10, () => issue('one-order'));
  const issued = replies.filter(({ status }) => status === 200);
  const { license_id } = issued[0]?.json.data.license ?? {};
  const id = Number(license_id.slice('lic_'.length));
  expect([issued.length, licenses()]).toEqual([1, [{ id, external_id: 'one-order' }]]);
  for (const { status, json } of replies.filter((reply) => !issued.includes(reply)))
    expect([status, json.error]).toEqual([
      409,
      { code: 'EXTERNAL_ID_TAKEN', message: expect.any(String), license_id },
    ]);
});

test('fifty concurrent orders are fifty licenses, each with its own key', async () => {
  const replies = await many(50, (at) => issue(`one-of-fifty-${at}`));
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(new Set(replies.map(({ json }) => json.data.key)).size).toBe(50);
  expect([licenses().length, auditOf(service, 'license.issue').length - audited]).toEqual([50, 50]);
});

test('acts and an import run during telemetry and first-use registrations, and nothing of either is lost', async () => {
  const { license_id, key } = await service.issue('--plan', 'enterprise', '--sites', '500');
  const heartbeat = (at: number) =>
    call(service.url, `${API}/telemetry`, {
      key,
      body: {
        site_url: `https://site-${at}.com`,
        license_key: key,
        events: [{ type: 'x_blocked', severity: 'info' }],
      },
    });
  const number = Number(license_id.slice('lic_'.length));
  const wanted = Array.from({ length: 500 }, (_, at) => ({ key: `foreign-key-number-${at}`, plan: 'free' }));
  const [beats, acts, imported] = await Promise.all([
    many(200, heartbeat),
    many(20, (at) => admin(`/licenses/${license_id}/change`, { body: { note: `note ${at}` } })),
    admin('/licenses/import', { body: { licenses: wanted } }),
  ]);
  expect(new Set(beats.map(({ status }) => status))).toEqual(new Set([200]));
  expect(acts.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect([imported.status, imported.json.data?.licenses]).toEqual([200, 500]);
  const domains = rows(service, 'select 1 from license_domains where license_id = ?', number).length;
  expect([domains, licenses().length]).toEqual([200, 501]);
  // Each was planned on the result of its predecessor.
  const notes = auditOf(service, 'license.change')
    .filter(({ subject }) => subject === license_id)
    .map(({ before, after }) => [before, after]);
  expect(notes).toHaveLength(20);
  for (const [at, [before]] of notes.entries())
    expect(before).toEqual(at === 0 ? '{"note":null}' : notes[at - 1]?.[1]);
});
