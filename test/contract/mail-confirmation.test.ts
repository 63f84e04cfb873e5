import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { DAY_MS } from '../../src/lib/clock.ts';
import { whatIsKept } from '../support/admin.ts';
import { API, call, expectHeaders } from '../support/client.ts';
import { portalOf } from '../support/portal.ts';
import { CA, certificateFor } from '../support/receivers.ts';
import { type RunningService, start, UNLIMITED, until } from '../support/service.ts';
import { rows } from '../support/store.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const ORIGIN = 'https://redoubt.example';
const mails: string[] = [];
const mailServer = new SMTPServer({
  ...certificateFor('localhost'),
  authOptional: true,
  async onData(stream, _, done) {
    mails.push((await text(stream)).replace(/=\r\n/g, '').replaceAll('=3D', '='));
    done();
  },
});
mailServer.on('error', () => {});

let service: RunningService;
beforeAll(async () => {
  const { port } = await new Promise<AddressInfo>((resolve) => {
    const server = mailServer.listen(0, 'localhost', () => resolve(server.address() as AddressInfo));
  });
  const ca = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(ca, CA);
  // Its own process: it has a mail server of its own.
  service = await start('binary', {
    ...UNLIMITED,
    SERVICE_BASE_URL: ORIGIN,
    SERVICE_BRAND_NAME: 'Brightside',
    SERVICE_SMTP_HOST: 'localhost',
    SERVICE_SMTP_PORT: String(port),
    SERVICE_SMTP_TLS: 'starttls',
    SERVICE_SMTP_CA: ca,
    SERVICE_SMTP_FROM: 'alerts@example.com',
  });
});
afterAll(async () => {
  await service?.end();
  mailServer.close(() => {});
});

interface Tenant {
  readonly key: string;
  readonly license: string;
}
const tenantOf = async (domain: string): Promise<Tenant> => {
  const { key, license_id: license } = await service.issue('--plan', 'pro', '--domain', domain);
  return { key, license };
};
const ask = async ({ key }: Tenant, path: string, body?: object) =>
  call(service.url, `${API}/notifications${path}`, { key, ...(body === undefined ? {} : { body }) });
const add = (tenant: Tenant, name: string) =>
  ask(tenant, '', { name, address: `mailto:${name}@example.net`, digest_minutes: 0 });
const targetOf = async (tenant: Tenant) => (await ask(tenant, '')).json.data.targets[0];
const act = async (tenant: Tenant, action: string) =>
  ask(tenant, `/${(await targetOf(tenant)).id}`, { action });
const linkIn = (mail = ''): string => /https:\/\/redoubt\.example(\/confirm\/\S+)/.exec(mail)?.[1] ?? '';
const open = async (path: string, method = 'GET') => {
  const answer = await fetch(service.url + path, { method, redirect: 'manual' });
  expectHeaders(answer.headers);
  return { status: answer.status, text: await answer.text() };
};
const alertOn = (tenant: Tenant, domain: string) =>
  call(service.url, `${API}/telemetry`, {
    key: tenant.key,
    body: { domain, events: [{ type: 'malware_found', severity: 'critical' }] },
  });

test('a mailbox of a tenant gets a confirmation mail, and nothing else until its recipient confirms on the page', async () => {
  const tenant = await tenantOf('confirmed.example.com');
  const added = await add(tenant, 'boss');
  expect(added.json.data).toMatchObject({
    target: { paused_reason: 'unconfirmed' },
    confirmation: { delivered: true },
  });
  expect(mails).toHaveLength(1);
  const [mail = ''] = mails;
  expect(mail).toMatch(/^Subject: \[Brightside\] Confirm notifications\r$/m);
  expect(mail).not.toMatch(/boss target|lic_\d|Test of/);
  const link = linkIn(mail);
  expect(link).toStartWith('/confirm/tgt_');

  await alertOn(tenant, 'confirmed.example.com');
  await until(async () => (await targetOf(tenant)).waiting === 1);
  expect((await act(tenant, 'test')).json.data.test).toMatchObject({ delivered: true });
  expect([mails.length, linkIn(mails[1])]).toEqual([2, link]);
  const before = whatIsKept(service);
  const resumed = await act(tenant, 'resume');
  expect([resumed.status, resumed.json.error.code]).toEqual([409, 'TARGET_REFUSED']);
  expect(whatIsKept(service)).toBe(before);

  expect(await open(link)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<form method="post"><button type="submit">Send me these mails'),
  });
  expect((await targetOf(tenant)).paused_reason).toBe('unconfirmed');
  expect(await open(link, 'POST')).toMatchObject({ status: 200, text: expect.stringContaining('Confirmed') });
  expect((await targetOf(tenant)).paused_reason).toBeNull();
  await until(() => mails.length === 3);
  expect(mails[2]).toContain('malware');
  expect(mails[2]).toContain('List-Unsubscribe: <https://redoubt.example/unsubscribe/');
  expect(rows(service, "select actor, subject from audit_log where action = 'notification.confirm'")).toEqual(
    [{ actor: 'system', subject: tenant.license }],
  );
  // Once more changes nothing.
  expect((await open(link, 'POST')).status).toBe(200);
});

test('another link confirms nothing, also one of another target', async () => {
  const [one, other] = [await tenantOf('one.example.com'), await tenantOf('other.example.com')];
  await add(one, 'one');
  const [, , , token = ''] = linkIn(mails.at(-1)).split('/');
  await add(other, 'other');
  const { id } = await targetOf(other);
  const before = whatIsKept(service);
  for (const path of [`/confirm/${id}/${token}`, `/confirm/${id}/zz`, `/confirm/tgt_zz/${token}`])
    for (const method of ['GET', 'POST'])
      expect(await open(path, method)).toMatchObject({
        status: 404,
        text: expect.not.stringContaining('zz'),
      });
  expect(whatIsKept(service)).toBe(before);
});

test('a link works for seven days', async () => {
  const tenant = await tenantOf('late.example.com');
  await add(tenant, 'late');
  const link = linkIn(mails.at(-1));
  rows(service, "update targets set created_at = created_at - ? where name = 'late'", 7 * DAY_MS);
  for (const method of ['GET', 'POST'])
    expect(await open(link, method)).toMatchObject({
      status: 404,
      text: expect.stringContaining('has expired'),
    });
  expect((await targetOf(tenant)).paused_reason).toBe('unconfirmed');
});

test('a license sends five confirmation mails a day', async () => {
  const tenant = await tenantOf('many.example.com');
  await add(tenant, 'many');
  for (let each = 0; each < 4; each++) expect((await act(tenant, 'test')).status).toBe(200);
  const [sent, before] = [mails.length, whatIsKept(service)];
  for (const asked of [await act(tenant, 'test'), await add(tenant, 'more')])
    expect([asked.status, asked.json.error.code]).toEqual([429, 'DAILY_CAP_EXCEEDED']);
  expect([mails.length, whatIsKept(service)]).toEqual([sent, before]);
});

test('a tenant cannot resume a target whose recipient unsubscribed, in the portal or by its key; a new one asks again', async () => {
  const tenant = await tenantOf('gone.example.com');
  await add(tenant, 'gone');
  await open(linkIn(mails.at(-1)), 'POST');
  await alertOn(tenant, 'gone.example.com');
  await until(() => mails.at(-1)?.includes('/unsubscribe/') === true);
  const [, unsubscribe = ''] =
    /<https:\/\/redoubt\.example(\/unsubscribe\/[^>]+)>/.exec(mails.at(-1) ?? '') ?? [];
  await open(unsubscribe, 'POST');
  const { id, paused_reason } = await targetOf(tenant);
  expect(paused_reason).toBe('recipient');
  const before = whatIsKept(service);
  const resumed = await act(tenant, 'resume');
  expect([resumed.status, resumed.json.error.code]).toEqual([409, 'TARGET_REFUSED']);
  const portal = await portalOf(service, tenant.key);
  expect((await portal.post(`/portal/notifications/${id}/resume`)).status).toBe(409);
  expect((await targetOf(tenant)).paused_reason).toBe('recipient');
  expect(whatIsKept(service)).toBe(before);
  const page = (await portal.get('/portal/notifications')).text;
  expect(page).toContain('the recipient unsubscribed');
  expect(page).not.toMatch(/Resume: gone|Send test: gone/);
  await act(tenant, 'remove');
  expect((await add(tenant, 'gone')).json.data.target.paused_reason).toBe('unconfirmed');
});
