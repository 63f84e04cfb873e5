import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fingerprintOf } from '../../../src/domain/threat/fingerprint.ts';
import { auditOf, whatIsKept } from '../../support/admin.ts';
import { API, call } from '../../support/client.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { type RunningService, start } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

const PATH = '/console/feed';
const HOSTILE = `"><img src=x onerror=alert(1)>`;
const REPORTED = { attackType: 'sql_injection', behaviorClass: 'scanner', payloadHash: 'abc' };
const FINGERPRINT = fingerprintOf(REPORTED);
const UNHEARD = `${FINGERPRINT.slice(0, 42)}${FINGERPRINT.endsWith('A') ? 'E' : 'A'}`;

let service: RunningService;
let key: string;
let viewer: Browser;
let operator: Browser;
beforeAll(async () => {
  // Its own process: the feed has to be empty.
  service = await start('binary', {
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_FEED_EPOCH_SECONDS: '86400',
    SERVICE_FEED_MIN_CORROBORATION: '1',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
  });
  ({ key } = await service.issue('--plan', 'pro', '--domain', 'reporter.com', '--customer', 'Reporter Ltd'));
  const body = { ...REPORTED, siteIdHash: 'site', licenseIdHash: 'license' };
  await call(service.url, `${API}/threat-report/report`, { key, body });
  [viewer, operator] = await Promise.all([
    operatorOf(service, 'vera', 'viewer'),
    operatorOf(service, 'otto', 'operator'),
  ]);
});
afterAll(() => service.end());

const published = async () =>
  (await call(service.url, `${API}/threat-feed`, { key })).json.data.entries.map(
    (entry: { fingerprint: string }) => entry.fingerprint,
  );
const act = (verb: string, form: Record<string, string>, browser = operator) =>
  browser.post(`${PATH}/${verb}`, form);

test('an operator rebuilds the feed with his name and reason, and only once for the same content', async () => {
  const { status, headers } = await act('rebuild', { reason: 'a new report' });
  expect([status, headers.get('location')]).toEqual([303, PATH]);
  expect(await published()).toEqual([FINGERPRINT]);
  expect(auditOf(service, 'feed.rebuild')).toMatchObject([
    { actor: 'operator:otto', reason: 'a new report' },
  ]);
  expect((await operator.get(PATH)).text).toContain('The feed was rebuilt.');
  await act('rebuild', {});
  expect((await operator.get(PATH)).text).toContain('nothing changed');
  expect(auditOf(service, 'feed.rebuild').length).toBe(1);
});

test('every role sees the state and the number of confirming customers, and none sees their names', async () => {
  for (const browser of [viewer, operator]) {
    const { status, text } = await browser.get(PATH);
    expect([status, text]).toEqual([200, expect.stringContaining(FINGERPRINT)]);
    expect(text).toMatch(
      /SQL injection<\/a><\/th><td data-label="Severity"><span class="badge high">high<\/span><\/td><td class="num" data-label="Customers">1<\/td>/,
    );
    expect(text).toMatch(/Shared with customers · 1 entry · updated <time/);
    const [epoch] = rows(service, 'select epoch from feed_snapshots');
    expect(text.replace(/<[^>]*>/g, ' ')).not.toMatch(
      new RegExp(`lic_1|reporter|Reporter|sql_injection|${FINGERPRINT.slice(0, 8)}|${epoch?.epoch}`),
    );
  }
});

test('a viewer sees no form, and neither author nor reason of a ruling', async () => {
  await service.command('feed', 'allow', UNHEARD, '--reason', 'our secret scanner');
  const seen = (await viewer.get(PATH)).text;
  expect(seen).toContain(UNHEARD);
  expect(seen).not.toMatch(/secret scanner|cli:|a new report|action="\/console\/feed\/|\/console\/audit/);
  const { text } = await operator.get(PATH);
  expect(text).toMatch(/\(command line\)<\/td><td data-label="Reason">our secret scanner<\/td>/);
  expect(text).toContain('/console/audit?subject=feed');
  expect(text).toContain('a new report');
  await service.command('feed', 'restore', '--', UNHEARD);
});

describe('a ruling', () => {
  test('without that applies from the next epoch on, and the notice says so', async () => {
    await act('withdraw', { fingerprint: FINGERPRINT, reason: 'a false positive' });
    expect((await operator.get(PATH)).text).toContain('The feed changes at the next epoch.');
    expect(await published()).toEqual([FINGERPRINT]);
    await act('restore', { fingerprint: FINGERPRINT, reason: 'it was one' });
  });

  test.each([
    ['not a fingerprint', 'allow', { reason: 'x' }, 409],
    ['markup instead of one', 'allow', { fingerprint: HOSTILE, reason: HOSTILE }, 409],
    ['an entry outside the feed', 'withdraw', { fingerprint: UNHEARD, reason: 'x' }, 409],
    ['an entry without a ruling', 'restore', { fingerprint: UNHEARD, reason: 'x' }, 409],
  ])('with %s is refused, keeps the input and stores nothing', async (_, verb, form, expected) => {
    const before = whatIsKept(service);
    const { status, text } = await act(verb, { ...form, rebuild: '1' } as Record<string, string>);
    expect([status, text]).toEqual([expected, expect.stringContaining('role="alert"')]);
    expect(text).toContain('<details class="card" open');
    expect(text).not.toContain('<img');
    expect(whatIsKept(service)).toBe(before);
  });
});

test('a feed of 120 entries is paged, restarts when it has changed, and can be searched', async () => {
  const names = Array.from({ length: 120 }, (_, each) => String(each).padStart(3, '0').padEnd(43, 'A'));
  const entry = { attack_type: 'xss', severity: 'medium', corroboration_count: 3 };
  const entries = JSON.stringify(names.map((fingerprint) => ({ fingerprint, ...entry })));
  const publish = (epoch: number) =>
    rows(service, 'update feed_snapshots set epoch = ?, entries = ?', epoch, entries);
  publish(9_000_000);
  const shown = (text: string) => Array.from(text.matchAll(/threats\/(\d{3})A/g), ([, each]) => Number(each));
  const nextOf = (text: string) => /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  const seen: number[] = [];
  let next: string | undefined = PATH;
  let second = '';
  while (next !== undefined) {
    const { text } = await viewer.get(next);
    seen.push(...shown(text));
    next = nextOf(text);
    second ||= next ?? '';
  }
  expect(seen).toEqual(names.map((_, each) => each));
  publish(9_000_001);
  const anew = await viewer.get(second);
  expect([anew.status, shown(anew.text)[0], anew.text]).toEqual([
    200,
    0,
    expect.stringContaining('the feed has changed since'),
  ]);
  expect(shown((await viewer.get(`${PATH}?find=11`)).text)).toEqual([
    110, 111, 112, 113, 114, 115, 116, 117, 118, 119,
  ]);
  const hostile = await viewer.get(`${PATH}?find=${encodeURIComponent(HOSTILE)}&cursor=1.1&ruled=%00`);
  expect([hostile.status, hostile.text.includes('<img')]).toEqual([200, false]);
});

test('entries are sorted by customers and severity, or by attack on request', async () => {
  const entryOf = (at: number, attack_type: string, severity: string, corroboration_count: number) => ({
    fingerprint: String(at).padStart(3, '0').padEnd(43, 'A'),
    attack_type,
    severity,
    corroboration_count,
  });
  const entries = [
    entryOf(1, 'xss', 'medium', 5),
    entryOf(2, 'remote_code_execution', 'critical', 4),
    entryOf(3, 'sql_injection', 'high', 5),
    entryOf(4, 'xss', 'medium', 9),
  ];
  rows(service, 'update feed_snapshots set epoch = 9000002, entries = ?', JSON.stringify(entries));
  const shown = async (query: string) =>
    Array.from((await viewer.get(PATH + query)).text.matchAll(/threats\/(\d{3})A/g), ([, each]) =>
      Number(each),
    );
  // Customers times severity, of 1 (info) to 5 (critical): 27, 20, 20 and 15.
  expect(await shown('')).toEqual([4, 2, 3, 1]);
  expect(await shown('?attack=xss')).toEqual([4, 1]);
  expect(await shown('?attack=csrf')).toEqual([]);
  expect(await shown('?attack=nonsense')).toEqual([4, 2, 3, 1]);
});

describe('the page of a threat', () => {
  const at = `${PATH}/threats/${FINGERPRINT}`;

  test('shows how many customers reported it, when, and when it expires, but not their names', async () => {
    await act('rebuild', { reason: 'again' });
    rows(service, 'update threat_reports set first_reported_at = 86400000, last_reported_at = 172800000');
    const { status, text } = await viewer.get(at);
    expect(status).toBe(200);
    expect(text).toMatch(/Customers that report it<\/dt><dd>1</);
    expect(text).toMatch(/First report<\/dt><dd><time datetime="1970-01-02T/);
    expect(text).toMatch(/Last report<\/dt><dd><time datetime="1970-01-03T/);
    expect(text).not.toMatch(/lic_1|reporter|Reporter|<button[^>]*>Withdraw/);
    rows(service, 'update threat_reports set last_reported_at = ?', Date.now());
  });

  test('and its row withdraw it with a reason, and never without one', async () => {
    rows(
      service,
      'update feed_snapshots set epoch = 9000003, entries = ?',
      JSON.stringify([
        { fingerprint: FINGERPRINT, attack_type: 'sql_injection', severity: 'high', corroboration_count: 1 },
      ]),
    );
    for (const page of [PATH, at]) {
      const { text } = await operator.get(page);
      expect(text).toContain(`action="${PATH}/withdraw"`);
      expect(text).toContain(`name="fingerprint" value="${FINGERPRINT}"`);
      expect(text).toMatch(/formaction="\/console\/feed\/allow"|action="\/console\/feed\/allow"/);
    }
    const before = whatIsKept(service);
    expect((await act('allow', { fingerprint: FINGERPRINT, reason: ' ' })).status).toBe(400);
    expect(whatIsKept(service)).toBe(before);
    await act('allow', { fingerprint: FINGERPRINT, reason: 'our own <scanner>' });
    expect((await operator.get(at)).text).toContain('our own &lt;scanner&gt;');
    expect((await viewer.get(at)).text).not.toContain('scanner');
    await act('restore', { fingerprint: FINGERPRINT, reason: 'done' });
  });

  test('shows when it entered the feed, its behavior, and when it left', async () => {
    await act('rebuild', {});
    expect((await viewer.get(at)).text).toMatch(
      /In the feed since<\/dt><dd><time.*Behavior<\/dt><dd>SQL in an input<\/dd>/,
    );
    await act('withdraw', { fingerprint: FINGERPRINT, reason: 'a false positive', rebuild: '1' });
    const { text } = await viewer.get(at);
    expect(text).toMatch(
      /<h1>SQL injection<\/h1>.*First in the feed<\/dt><dd><time.*Left the feed<\/dt><dd><time/s,
    );
    expect((await viewer.get(PATH)).text).toMatch(
      /SQL injection<\/a><\/th><td data-label="Ruling">withdrawn/,
    );
    await act('restore', { fingerprint: FINGERPRINT, reason: 'an attack', rebuild: '1' });
  });

  test.each([['nonsense'], [HOSTILE], ['..']])('does not exist for %s', async (name) => {
    const { status, text } = await viewer.get(`${PATH}/threats/${encodeURIComponent(name)}`);
    expect([status, text.includes('<img')]).toEqual([404, false]);
  });

  test('of an unknown fingerprint shows that there are no reports', async () => {
    const { status, text } = await viewer.get(`${PATH}/threats/${UNHEARD}`);
    expect([status, text]).toEqual([200, expect.stringContaining('No customer reports it')]);
  });
});

test('rulings are listed in pages of 50', async () => {
  rows(
    service,
    `with recursive ids(id) as (select 100 union all select id + 1 from ids where id < 169)
      insert into feed_rulings (fingerprint, ruling, ruled_at) select id || '${'A'.repeat(40)}', 'allowed', 1 from ids`,
  );
  const first = (await viewer.get(`${PATH}?find=zzz`)).text;
  expect(first).not.toMatch(/<td[^>]*>never published/);
  const page = (await viewer.get(PATH)).text;
  expect(page.match(/<td[^>]*>never published/g)?.length).toBe(50);
  const next = /href="([^"]+ruled=[^"]+)"/.exec(page)?.[1] ?? '';
  expect((await viewer.get(next)).text.match(/<td[^>]*>never published/g)?.length).toBe(20);
  expect((await viewer.get(`${PATH}?find=15`)).text.match(/<td[^>]*>never published/g)?.length).toBe(10);
});
