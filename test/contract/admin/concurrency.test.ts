import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Admin, adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const UNLIMITED = {
  SERVICE_ADMIN_RATE_PER_MINUTE: '100000',
  SERVICE_RATE_KEY_PER_MINUTE: '100000',
  SERVICE_RATE_IP_PER_MINUTE: '100000',
};

let service: RunningService;
let admin: Admin;
beforeEach(async () => {
  service = await start('binary', UNLIMITED);
  admin = adminOf(service, await tokenOf(service));
});
afterEach(() => service.end());

const many = <Value>(count: number, make: (at: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)));
const issue = (external_id: string) => admin('/licenses', { body: { plan: 'pro', external_id } });
const licenses = () => rows(service, 'select id, external_id from licenses order by id');

test('ten requests for one external id at once issue one license, which the others are told of', async () => {
  const replies = await many(10, () => issue('order-1'));
  const issued = replies.filter(({ status }) => status === 200);
  expect([issued.length, licenses()]).toEqual([1, [{ id: 1, external_id: 'order-1' }]]);
  for (const { status, json } of replies.filter((reply) => !issued.includes(reply)))
    expect([status, json.error]).toEqual([
      409,
      { code: 'EXTERNAL_ID_TAKEN', message: expect.any(String), license_id: 'lic_1' },
    ]);
});

test('fifty orders at once are fifty licenses, each with its own key', async () => {
  const replies = await many(50, (at) => issue(`order-${at}`));
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
  expect(new Set(replies.map(({ json }) => json.data.key)).size).toBe(50);
  expect([licenses().length, auditOf(service, 'license.issue').length]).toEqual([50, 50]);
});

test('acts and an import are done beside telemetry and first-use registrations, and nothing of either is lost', async () => {
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
  const wanted = Array.from({ length: 500 }, (_, at) => ({ key: `foreign-key-number-${at}`, plan: 'free' }));
  const [beats, acts, imported] = await Promise.all([
    many(200, heartbeat),
    many(20, (at) => admin(`/licenses/${license_id}/change`, { body: { note: `note ${at}` } })),
    admin('/licenses/import', { body: { licenses: wanted } }),
  ]);
  expect(new Set(beats.map(({ status }) => status))).toEqual(new Set([200]));
  expect(acts.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect([imported.status, imported.json.data?.licenses]).toEqual([200, 500]);
  const domains = rows(service, 'select count(*) as count from license_domains')[0]?.count;
  expect([domains, licenses().length]).toEqual([200, 501]);
  // Each was planned on what the one before it had left.
  const notes = auditOf(service, 'license.change').map(({ before, after }) => [before, after]);
  expect(notes).toHaveLength(20);
  for (const [at, [before]] of notes.entries())
    expect(before).toEqual(at === 0 ? '{"note":null}' : notes[at - 1]?.[1]);
});
