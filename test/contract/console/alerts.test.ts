import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Admin, adminOf, auditOf, tokenOf } from '../../support/admin.ts';
import { acknowledgements, addAlert, addSite } from '../../support/alerts.ts';
import { API, call } from '../../support/client.ts';
import { Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, run, start, until } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const PATH = '/console/alerts';
const DOMAIN = 'shop.example.com';
const NOW = Date.now();

let service: RunningService;
let admin: Admin;
let [operator, viewer]: Browser[] = [];
let key: string;
beforeAll(async () => {
  // Its own process: the page shows alerts of all licenses.
  service = await start('binary', { SERVICE_ADMIN_RATE_PER_MINUTE: '100000' });
  ({ key } = await service.issue('--plan', 'pro', '--domain', DOMAIN, '--customer', 'Example Ltd'));
  await report('malware_found');
  admin = adminOf(service, await tokenOf(service));
  operator = await operatorOf(service, 'otto', 'operator');
  viewer = await operatorOf(service, 'vera', 'viewer');
});
afterAll(() => service.end());

const report = async (type: string, severity = 'critical') => {
  const body = { domain: DOMAIN, events: [{ type, severity }] };
  expect((await call(service.url, `${API}/telemetry`, { key, body })).status).toBe(200);
};
const as = (browser: Browser | undefined) => browser ?? new Browser(service);
/** The alerts of a page, by their rows. */
const shownIn = (text: string) =>
  [
    ...text.matchAll(
      /<th scope="row"><a[^>]*>(.*?)<\/a><\/th><td[^>]*><a href="\/console\/(?:licenses|customers)\/(lic_\d+)">.*?<\/td><td[^>]*><a[^>]*>(.*?)<\/a><\/td>/g,
    ),
  ].map(
    ([, domain, license, words = '']) => `${license} ${domain} ${words.toLowerCase().replaceAll(' ', '_')}`,
  );
const formOf = (text: string, subject: string) => {
  const [form = ''] =
    text.match(new RegExp(`<form[^>]*>(?:(?!</form>).)*value="${subject}".*?</form>`)) ?? [];
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  return Object.fromEntries(fields) as Record<string, string>;
};

test('an alert is acknowledged with a note until the site reports more, unseen by the tenant', async () => {
  const tenant = async () => (await call(service.url, `${API}/sites`, { key })).json.data.sites[0];
  const before = await tenant();
  const form = formOf((await as(operator).get(PATH)).text, 'malware');
  const done = await as(operator).post(`${PATH}/acknowledge?severity=critical`, {
    ...form,
    note: 'ticket <1>',
  });
  expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}?severity=critical`]);
  expect(acknowledgements(service)).toEqual([
    { subject: 'malware', acknowledged_by: 'operator:otto', acknowledged_note: 'ticket <1>' },
  ]);
  expect(auditOf(service, 'alert.acknowledge')).toMatchObject([
    { actor: 'operator:otto', subject: 'lic_1', after: expect.stringContaining('"subject":"malware"') },
  ]);
  const { text } = await as(operator).get(PATH);
  expect(text).toContain('ticket &lt;1&gt;');
  expect(text).toContain('until the site reports more');
  expect((await admin('/status')).json.data).toMatchObject({ critical_alerts: 1 });
  const { alerts_open, security_score } = await tenant();
  expect([alerts_open, security_score]).toEqual([before.alerts_open, before.security_score]);

  await report('malware_suspected');
  expect(acknowledgements(service)).toEqual([
    { subject: 'malware', acknowledged_by: null, acknowledged_note: null },
  ]);
});

test('events after the page was shown are not acknowledged by it', async () => {
  const form = formOf((await as(operator).get(PATH)).text, 'malware');
  await report('malware_found');
  const before = acknowledgements(service);
  const answer = await as(operator).post(`${PATH}/acknowledge`, form);
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Reload the page')]);
  expect(acknowledgements(service)).toEqual(before);
});

test('an operator acknowledges only what the page showed: no later worse event, and no newer note', async () => {
  const page = async () => formOf((await as(operator).get(PATH)).text, 'ransomware');
  const kept = () => acknowledgements(service).find(({ subject }) => subject === 'ransomware');
  await report('ransomware_found', 'high');
  const high = await page();
  const events = [
    { type: 'ransomware_found', severity: 'critical', occurred_at: new Date(NOW - 600_000).toISOString() },
  ];
  expect(
    (await call(service.url, `${API}/telemetry`, { key, body: { domain: DOMAIN, events } })).status,
  ).toBe(200);
  const late = await as(operator).post(`${PATH}/acknowledge`, { ...high, note: 'only <high>' });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('value="only &lt;high&gt;"')]);

  const open = await page();
  await as(operator).post(`${PATH}/acknowledge`, { ...open, note: 'first' });
  expect((await as(operator).post(`${PATH}/acknowledge`, { ...open, note: '' })).status).toBe(409);
  const acknowledged = await page();
  await service.command('alert', 'acknowledge', 'lic_1', DOMAIN, 'ransomware', '--note', 'second');
  expect((await as(operator).post(`${PATH}/unacknowledge`, acknowledged)).status).toBe(409);
  expect(kept()).toMatchObject({ acknowledged_note: 'second' });
  expect(auditOf(service, 'alert.acknowledge').at(-1)).toMatchObject({
    before: JSON.stringify({ acknowledgedBy: 'operator:otto', note: 'first' }),
  });
  await report('ransomware_removed', 'info');
  const resolved = await run('binary', service.env, 'alert', 'unacknowledge', 'lic_1', DOMAIN, 'ransomware');
  expect([resolved.exitCode, resolved.stdout]).toEqual([1, '']);
});

test.each([
  ['an alert that does not exist', { subject: 'nothing' }],
  ['no license', { license: '"><script>' }],
  ['no displayed state', { seen: '' }],
])('%s is not acknowledged, and nothing is stored', async (_, change) => {
  const before = [acknowledgements(service), auditOf(service, 'alert.acknowledge').length];
  const form = formOf((await as(operator).get(PATH)).text, 'malware');
  const answer = await as(operator).post(`${PATH}/acknowledge`, { ...form, ...change });
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('role="alert"')]);
  expect(answer.text).not.toContain('<script>');
  expect([acknowledgements(service), auditOf(service, 'alert.acknowledge').length]).toEqual(before);
});

test('commands refuse an alert that is not open or not acknowledged, and store nothing', async () => {
  const before = acknowledgements(service);
  for (const [act, subject] of [
    ['acknowledge', 'nothing'],
    ['unacknowledge', 'malware'],
  ] as const) {
    const done = await run('binary', service.env, 'alert', act, 'lic_1', DOMAIN, subject);
    expect([done.exitCode, done.stdout]).toEqual([1, '']);
  }
  expect(acknowledgements(service)).toEqual(before);
});

test('a viewer sees alerts, and neither notes nor names', async () => {
  const form = formOf((await as(operator).get(PATH)).text, 'malware');
  await as(operator).post(`${PATH}/acknowledge`, { ...form, note: 'secret of otto' });
  const seen = (await as(viewer).get(PATH)).text;
  expect(shownIn(seen)).toEqual([`lic_1 ${DOMAIN} malware`]);
  expect(seen).not.toMatch(/secret of otto|operator:otto|Example Ltd|acknowledge"/);
});

test('the first page counts only unacknowledged alerts as open items', async () => {
  const needs = /critical alerts? needs? acknowledging/;
  const becomes = (count: number) =>
    until(async () => {
      const { critical_alerts: open, critical_alerts_unacknowledged: left } = (await admin('/status')).json
        .data;
      return open === 1 && left === count;
    });
  await becomes(0);
  expect((await as(viewer).get('/console')).text).not.toMatch(needs);
  await service.command('alert', 'unacknowledge', 'lic_1', DOMAIN, 'malware');
  await becomes(1);
  expect((await as(viewer).get('/console')).text).toMatch(needs);
});

test('alerts are listed in pages of 50, unacknowledged and critical first, each once; filters combine', async () => {
  for (let more = 0; more < 2; more++) await service.issue('--plan', 'free');
  const siteId = addSite(service, { licenseId: 2, domain: 'many.example.com' });
  for (let at = 0; at < 60; at++)
    addAlert(service, {
      licenseId: 2,
      siteId,
      subject: `s${at}`,
      acknowledgedAt: at < 5 ? NOW : null,
      ...(at % 2 === 0 ? { criticalAt: NOW - at } : { highAt: NOW - at }),
    });
  const walked: string[] = [];
  const filter = '?license=lic_2&domain=many.example.com';
  let path: string | undefined = PATH + filter;
  const sizes: number[] = [];
  while (path !== undefined) {
    const { text } = await as(viewer).get(path);
    const found = shownIn(text);
    sizes.push(found.length);
    walked.push(...found.map((row) => row.split(' ')[2] ?? ''));
    path = /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  const all = Array.from({ length: 60 }, (_, at) => at);
  const group = (isDone: boolean, odd: number) =>
    all.filter((at) => at < 5 === isDone && at % 2 === odd).map((at) => `s${at}`);
  expect(walked).toEqual([...group(false, 0), ...group(false, 1), ...group(true, 0), ...group(true, 1)]);
  expect(sizes).toEqual([50, 10]);
  const shown = async (query: string) => shownIn((await as(viewer).get(PATH + query)).text).length;
  expect(await shown(`${filter}&severity=high&state=yes`)).toBe(2);
  expect(await shown(`${filter}&state=yes`)).toBe(5);
  expect(await shown('?license=lic_3')).toBe(0);
  for (const [query, count] of [
    ['license_id=lic_2&severity=high&acknowledged=true', 2],
    ['domain=many.example.com&acknowledged=true', 5],
  ] as const)
    expect((await admin(`/alerts?${query}`)).json.data.alerts).toHaveLength(count);
  const [listed] = JSON.parse(await service.command('alert', 'list', '--license', 'lic_1', '--json'));
  expect((await admin('/alerts?license_id=lic_1')).json.data.alerts[0]).toEqual(listed);
});

test.each(['license=one', 'domain=a..b', 'cursor=9.1.1.1.x', 'cursor=%3Cscript%3E'])(
  'the filter %s is refused with a reason',
  async (query) => {
    const { status, text } = await as(viewer).get(`${PATH}?${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(text).not.toContain('<script>');
  },
);

describe('several alerts together', () => {
  const MANY = 'several.example.com';
  let licenseId: number;
  const stored = () =>
    rows(
      service,
      'select subject, acknowledged_by, acknowledged_note from alerts where license_id = ? order by subject',
      licenseId,
    );
  /** The checkboxes of a page, as its form sends them. */
  const boxes = async () => {
    const { text } = await as(operator).get(`${PATH}?domain=${MANY}`);
    return [...text.matchAll(/<input type="checkbox" form="selected" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
  };
  const send = (form: Readonly<Record<string, string>>, browser = operator) =>
    as(browser).post(`${PATH}/acknowledge-selected?domain=${MANY}`, form);
  const audited = () => auditOf(service, 'alert.acknowledge').length;

  beforeAll(async () => {
    const { license_id } = await service.issue('--plan', 'free', '--customer', 'Ferraro <Foods>');
    licenseId = Number(license_id.slice('lic_'.length));
    const siteId = addSite(service, { licenseId, domain: MANY });
    for (const [at, subject] of ['backdoor', 'backdoor_upload', 'brute_force', 'malware'].entries())
      addAlert(service, { licenseId, siteId, subject, criticalAt: NOW - at * 2 * 3_600_000 });
  });

  test('that are selected are acknowledged with one note, each by name in the audit log', async () => {
    const [first, second, ...others] = await boxes();
    expect(others).toHaveLength(2);
    const before = audited();
    const done = await send({
      ...Object.fromEntries([first ?? ['', ''], second ?? ['', '']]),
      note: 'ticket 7',
    });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${PATH}?domain=${MANY}`]);
    expect((await as(operator).get(`${PATH}?domain=${MANY}`)).text).toContain('2 alerts acknowledged');
    const acknowledged = { acknowledged_by: 'operator:otto', acknowledged_note: 'ticket 7' };
    expect(stored()).toEqual([
      { subject: 'backdoor', ...acknowledged },
      { subject: 'backdoor_upload', ...acknowledged },
      { subject: 'brute_force', acknowledged_by: null, acknowledged_note: null },
      { subject: 'malware', acknowledged_by: null, acknowledged_note: null },
    ]);
    expect(audited()).toBe(before + 2);
  });

  test('leave out one that has changed since, and the notice names it', async () => {
    const form = Object.fromEntries(await boxes());
    rows(
      service,
      'update alerts set critical_at = ? where license_id = ? and subject = ?',
      NOW,
      licenseId,
      'malware',
    );
    expect((await send(form)).status).toBe(303);
    expect((await as(operator).get(PATH)).text).toContain(
      '1 of the alerts changed since you opened the page',
    );
    expect(stored().map((alert) => alert.acknowledged_by !== null)).toEqual([true, true, true, false]);
  });

  test.each([
    ['none selected', {}, 'Select at least one alert'],
    [
      'a malformed alert',
      { 'alert lic_0 x y': '', alert: '1', 'alert "><script> x y': '' },
      'Select at least',
    ],
    ['an unknown alert', { 'alert lic_1 nowhere.example.com malware': '..' }, 'Reload the page'],
    ['a state that the page did not show', { [`alert lic_1 ${DOMAIN} malware`]: '1..' }, 'Reload the page'],
  ])('%s is refused, and nothing is stored', async (_, form, words) => {
    const before = [stored(), audited()];
    const answer = await send({ ...form, note: 'kept <note>' });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining(words)]);
    expect(answer.text).toContain('value="kept &lt;note&gt;"');
    expect(answer.text).not.toContain('<script>');
    expect([stored(), audited()]).toEqual(before);
  });

  test('with a note that is too long are refused at the field, with the selection kept', async () => {
    const [[name, value] = ['', '']] = await boxes();
    const before = [stored(), audited()];
    const answer = await send({ [name]: value, note: 'x'.repeat(201) });
    expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Note: ')]);
    expect(answer.text).toMatch(new RegExp(`name="${name}" value="${value}" checked`));
    expect([stored(), audited()]).toEqual(before);
  });

  test('are not acknowledged by a viewer', async () => {
    const before = [stored(), audited()];
    expect((await send(Object.fromEntries(await boxes()), viewer)).status).toBe(403);
    expect([stored(), audited()]).toEqual(before);
  });

  test.each([
    ['type=backdoor', ['backdoor', 'backdoor_upload']],
    ['type=Backdoor%20upload', ['backdoor_upload']],
    ['type=back', []],
    ['age=hour', ['backdoor_upload', 'brute_force']],
    ['age=day', []],
    ['customer=ferraro', ['backdoor', 'backdoor_upload', 'brute_force', 'malware']],
    ['customer=unknown', []],
    ['age=century', ['backdoor', 'backdoor_upload', 'brute_force', 'malware']],
  ])('the filter %s finds the matching alerts', async (query, found) => {
    const { text } = await as(operator).get(`${PATH}?domain=${MANY}&${query}`);
    expect(
      shownIn(text)
        .map((row) => row.split(' ')[2])
        .toSorted(),
    ).toEqual(found);
  });

  test('the name of a customer is shown to operators, and is no filter for viewers', async () => {
    expect((await as(operator).get(`${PATH}?domain=${MANY}`)).text).toContain('Ferraro &lt;Foods&gt;');
    const all = shownIn((await as(viewer).get(`${PATH}?domain=${MANY}`)).text);
    const { text } = await as(viewer).get(`${PATH}?domain=${MANY}&customer=another`);
    expect([shownIn(text), text.includes('Ferraro')]).toEqual([all, false]);
    expect(all).toHaveLength(4);
  });
});

test('any domain and subject is shown as text', async () => {
  const hostile = `"><img src=x onerror=alert(1)>'`;
  const siteId = addSite(service, { licenseId: 3, domain: hostile });
  addAlert(service, { licenseId: 3, siteId, subject: hostile, criticalAt: NOW });
  const { text } = await as(operator).get(`${PATH}?license=lic_3`);
  expect(text).toContain('&lt;img src=x');
  expect(text).not.toMatch(/<img|onerror=alert\(1\)>/);
  rows(service, 'delete from alerts where subject = ?', hostile);
});
