import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const CUSTOMERS = '/console/customers';

let service: RunningService;
let operator: Browser;
let viewer: Browser;
beforeAll(async () => {
  // Its own process: the list shows all customers.
  service = await start('binary');
  operator = await operatorOf(service, 'olga', 'operator');
  viewer = await operatorOf(service, 'victor', 'viewer');
});
afterAll(() => service.end());

const issue = async (...options: string[]) =>
  (await service.issue('--plan', 'pro', ...options)).license_id as string;
const numberOf = (id: string) => Number(id.slice('lic_'.length));
const linksIn = (text: string, to: string) =>
  [...text.matchAll(new RegExp(`href="${to}/(lic_\\d+)"`, 'g'))].map(([, id]) => id);

test('the list is empty before there is a customer, and a license without one is not listed', async () => {
  const id = await issue();
  expect((await operator.get(CUSTOMERS)).text).toContain('No customers.');
  const { status, text } = await operator.get(`${CUSTOMERS}/${id}`);
  expect([status, text.includes(`<h1>${id}</h1>`)]).toEqual([200, true]);
});

test('licenses with one name, mailbox or Stripe customer are one customer, immediately after a change', async () => {
  const named = await issue('--customer', 'Ann & Co', '--domain', 'ann.example.com');
  const mailed = await issue('--customer', 'ANN & CO', '--email', 'ann@example.com');
  const paid = await issue('--email', 'Ann+shop@example.com');
  const other = await issue('--customer', 'Bea', '--email', 'bea@example.com');
  for (const [at, id] of [paid, other].entries()) {
    rows(service, 'update licenses set subscription_id = ? where id = ?', `sub_${at}`, numberOf(id));
    rows(
      service,
      `insert into subscriptions (id, license_id, customer_id, status, created_at) values (?, ?, ?, 'active', 1)`,
      ...[`sub_${at}`, numberOf(id), `cus_${at}`],
    );
  }
  const list = await operator.get(CUSTOMERS);
  expect([list.status, linksIn(list.text, CUSTOMERS)]).toEqual([200, [named, other]]);
  expect(list.text).toContain('3 active');
  for (const id of [named, mailed, paid]) {
    const { text } = await operator.get(`${CUSTOMERS}/${id}`);
    expect([text.includes('<h1>Ann &amp; Co</h1>'), linksIn(text, '/console/licenses')]).toEqual([
      true,
      [named, mailed, paid],
    ]);
  }
  const free = await issue('--customer', 'ann & co');
  expect(linksIn((await operator.get(`${CUSTOMERS}/${named}`)).text, '/console/licenses')).toContain(free);
  await operator.post(`/console/licenses/${free}/change`, { customer: 'Zoe', was_customer: 'ann & co' });
  expect(linksIn((await operator.get(`${CUSTOMERS}/${free}`)).text, '/console/licenses')).toEqual([free]);
});

test('a customer has the sites, open alerts and acts of all its licenses, the worst and newest first', async () => {
  const licenses = [
    await service.issue('--plan', 'pro', '--customer', 'Cleo', '--domain', 'quiet.example.com'),
    await service.issue('--plan', 'pro', '--customer', 'Cleo', '--domain', 'cleo.example.com'),
  ];
  const [one, two] = licenses.map(({ license_id }) => license_id);
  const [quiet, loud] = licenses.map(({ key }) => key);
  const send = (key: string | undefined, domain: string, events: object[]) =>
    fetch(`${service.url}/api/v1/telemetry`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ domain, plugin_version: '1.0', events }),
    });
  const sent = [
    await send(quiet, 'quiet.example.com', []),
    await send(loud, 'cleo.example.com', [{ type: 'malware_found', severity: 'critical' }]),
  ];
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  await service.command('license', 'suspend', String(one), '--hold', 'dispute', '--reason', 'order 9');
  const { text } = await operator.get(`${CUSTOMERS}/${one}`);
  const order = ['cleo.example.com', 'quiet.example.com', 'Malware', `${one}: Suspended (disputed payment)`];
  const places = order.map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((before, after) => before - after));
  expect([places[0], text.includes('order 9'), text.includes(`${two}: License issued`)]).toEqual([
    expect.any(Number),
    true,
    true,
  ]);
  expect(places[0]).toBeGreaterThan(0);
});

test('names in the list of licenses and on a license link to their customer', async () => {
  const id = await issue('--customer', 'Dora');
  for (const path of ['/console/licenses', `/console/licenses/${id}`])
    expect([path, linksIn((await operator.get(path)).text, CUSTOMERS)]).toEqual([
      path,
      expect.arrayContaining([id]),
    ]);
});

test('the list continues on the next page, and accepts any cursor', async () => {
  const issued = Array.from({ length: 51 }, (_, at) =>
    issue('--customer', `Many ${String(at).padStart(2, '0')}`),
  );
  await Promise.all(issued);
  const { text } = await operator.get(CUSTOMERS);
  const [, next = ''] = /href="([^"]+)" rel="next"/.exec(text) ?? [];
  const [first, second] = [linksIn(text, CUSTOMERS), linksIn((await operator.get(next)).text, CUSTOMERS)];
  expect([first.length, new Set([...first, ...second]).size]).toEqual([50, first.length + second.length]);
  for (const cursor of ['-1', '9999999', '1e3', '<b>', '99999999999999999999'])
    expect((await operator.get(`${CUSTOMERS}?cursor=${encodeURIComponent(cursor)}`)).status).toBe(200);
});

test('a missing license has no customer, and viewers see none', async () => {
  for (const name of ['lic_999999', 'lic_0', '<b>', '%00'])
    expect((await operator.get(`${CUSTOMERS}/${name}`)).status).toBe(404);
  const id = await issue('--customer', 'Zq Secret');
  for (const path of [CUSTOMERS, `${CUSTOMERS}/${id}`]) {
    const { status, text } = await viewer.get(path);
    expect([path, status, text]).toEqual([path, 403, expect.not.stringContaining('Zq Secret')]);
  }
  const { text } = await viewer.get('/console');
  expect(text).not.toContain(CUSTOMERS);
});
