import { beforeAll, describe, expect, test } from 'bun:test';
import { API } from '../../support/client.ts';
import { type Browser, operatorOf } from '../../support/console.ts';
import { formsOf } from '../../support/markup.ts';
import { type RunningService, SURE, sharedService, until } from '../../support/service.ts';
import { rows } from '../../support/store.ts';

let service: RunningService;
let operator: Browser;
let viewer: Browser;
beforeAll(async () => {
  service = await sharedService();
  operator = await operatorOf(service, 'license-operator', 'operator');
  viewer = await operatorOf(service, 'license-viewer', 'viewer');
});

const pathOf = (id: string) => `/console/licenses/${id}`;
const issue = async (...options: string[]) => {
  const { license_id: id, key } = await service.issue(...options);
  return { id, key, path: pathOf(id) };
};
const verify = (key: string, domain: string) =>
  fetch(`${service.url}${API}/license/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ domain }),
  });
/** The readable text of a page. */
const readable = (html: string) =>
  html
    .replace(/<head>.*?<\/head>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');
const read = async (path: string, by: Browser = operator) => readable((await by.get(path)).text);
const formTo = async (page: string, action: string) =>
  (await formsOf((await operator.get(page)).text)).find((form) => form.action === action);
/** Waits until a refused check is stored. */
const refused = (path: string, domain: string) =>
  until(
    async () =>
      rows(
        service,
        'select 1 from refused_domains where domain = ? and license_id = ?',
        domain,
        Number(path.slice(path.lastIndexOf('_') + 1)),
      ).length > 0,
  );

describe('the verdict', () => {
  test('starts with the domain without a site, and its buttons fix it', async () => {
    const { path, key } = await issue('--plan', 'free', '--domain', 'one.example.com');
    await verify(key, 'two.example.com');
    await refused(path, 'two.example.com');
    const words = await read(path);
    expect(words).toContain('two.example.com is refused: the only site is in use.');
    expect(words).toMatch(/1 check since \d+ \w+ \d{4}, the last just now/);
    expect(words).toContain('Release a domain');
    expect((await viewer.get(path)).text).not.toContain('method="post" action="/console/licenses/');
    expect(await read(path, viewer)).toContain('two.example.com is refused');
    const add = await formTo(path, `${path}/change`);
    expect((await operator.post(`${path}/change`, add?.fields)).status).toBe(303);
    expect(await read(path)).toContain("Site limit changed from the plan's to 2.");
    expect(await read(path)).toContain('License checks are valid, with plan Free.');
    expect(await read(`${path}?tab=sites`)).toMatch(
      /two\.example\.com Site limit reached 1 just now accepted/,
    );
  });

  test('of a blocked domain has a button that unblocks it', async () => {
    const { id, path, key } = await issue('--plan', 'pro');
    await service.command('license', 'block', id, '--domain', 'bad.example.com');
    await verify(key, 'https://bad.example.com/shop');
    await refused(path, 'bad.example.com');
    expect(await read(path)).toContain('bad.example.com is refused: it is blocked.');
    const fix = await formTo(path, `${path}/unblock`);
    expect(fix?.fields.domain).toBe('bad.example.com');
    await operator.post(`${path}/unblock`, fix?.fields);
    expect(await read(path)).toContain('bad.example.com unblocked.');
    expect(await read(path)).toContain('License checks are valid');
  });

  test('of a suspended license names the reason, and lifts it', async () => {
    const { id, path } = await issue('--plan', 'pro');
    await service.command('license', 'suspend', id, '--hold', 'dispute');
    expect(await read(path)).toContain(
      'All checks are refused: the license is suspended (disputed payment).',
    );
    expect(await read(path, viewer)).toContain('All checks are refused');
    await operator.post(`${path}/resume`, (await formTo(path, `${path}/resume`))?.fields);
    expect(await read(path)).toContain('Resumed (disputed payment).');
  });

  test('of an expired license extends it by a year', async () => {
    const { id, path } = await issue('--plan', 'pro', '--expires', '2031-01-01');
    rows(service, 'update licenses set expires_at = 1 where id = ?', Number(id.slice(4)));
    expect(await read(path)).toContain(
      'All checks are refused: the license has expired. It ended 1 Jan 1970',
    );
    await operator.post(`${path}/extend`, (await formTo(path, `${path}/extend`))?.fields);
    expect(await read(path)).toMatch(/Extended to \d+ \w+ \d{4}\./);
    expect(await read(path)).toContain('License checks are valid');
  });

  test('of a revoked license shows that it is final, and offers only to delete its customer', async () => {
    const { id, path } = await issue('--plan', 'pro', '--expires', '2031-01-01');
    await service.command('license', 'revoke', id, ...SURE);
    const { text } = await operator.get(path);
    expect(readable(text)).toContain(
      'All checks are refused: the license is revoked. This cannot be undone.',
    );
    expect([...text.matchAll(/\?act=([a-z-]+)/g)].map(([, name]) => name)).toEqual(['forget', 'customer']);
  });

  test.each([
    ['shop.example.com', 'shop.example.com is accepted: it is registered.'],
    ['https://www.New.example.com/x', 'new.example.com is refused: the only site is in use.'],
    ['x.test', 'x.test is accepted: development hosts use no site.'],
    ['not a domain', 'The text is not a domain.'],
    ['<script>', 'The text is not a domain.'],
  ])('of %s, checked on the page, is the answer of license/verify', async (domain, words) => {
    const { path } = await issue('--plan', 'free', '--domain', 'shop.example.com');
    const { status, text } = await operator.get(`${path}?domain=${encodeURIComponent(domain)}`);
    expect([status, readable(text)]).toEqual([200, expect.stringContaining(words)]);
    expect(text).not.toContain('<script>');
  });
});

describe('the acts', () => {
  test.each([
    ['change', { plan: 'enterprise', was_plan: 'pro' }, 'Plan changed from Pro to Enterprise.'],
    [
      'change',
      { expires_at: '2032-03-04', was_expires_at: '2031-01-01T00:00:00.000Z' },
      'End changed from 1 Jan 2031 to 4 Mar 2032.',
    ],
    [
      'change',
      { expires_at: '', was_expires_at: '2031-01-01T00:00:00.000Z' },
      'End changed from 1 Jan 2031 to never.',
    ],
    ['change', { customer: 'Ann', was_customer: '' }, 'Customer set to Ann.'],
    ['change', { allow_modules: 'ai_analysis' }, 'Added modules changed from none to AI analysis.'],
    ['extend', { days: '365' }, 'Extended to 1 Jan 2032.'],
    ['suspend', { hold: 'payment', reason: 'unpaid' }, 'Suspended (missing payment).'],
    ['bind', { domain: 'www.shop.example.com' }, 'shop.example.com registered.'],
    ['block', { domain: 'shop.example.com' }, 'shop.example.com blocked.'],
    ['unbind', { domain: 'nowhere.example.com' }, undefined],
  ])('%s of %j is shown in words', async (verb, form, words) => {
    const { path } = await issue('--plan', 'pro', '--expires', '2031-01-01');
    const { status } = await operator.post(`${path}/${verb}`, form as Record<string, string>);
    expect(status).toBe(words === undefined ? 409 : 303);
    if (words !== undefined) expect(await read(path)).toContain(words);
  });

  test('a new key is shown with a text for the customer, once', async () => {
    const { path } = await issue('--plan', 'pro');
    await operator.post(`${path}/rotate`, { grace_hours: '24' });
    const words = await read(path);
    const [key = ''] = /rdt_live_\w+/.exec(words) ?? [];
    expect(words).toContain(`Your new license key is: ${key} The previous key works until`);
    expect(await read(path)).not.toContain(key);
    expect(await read(path)).toMatch(
      /Key rotated; the previous key works until \d+ \w+ \d{4}, \d\d:\d\d UTC/,
    );
  });

  test.each([
    ['change', 'expires_at', { expires_at: 'soon', was_expires_at: '' }],
    ['change', 'sites', { sites: '9999999', was_sites: '' }],
    ['change', 'email', { email: 'nobody', was_email: '' }],
    ['change', 'reason', { plan: 'free', was_plan: 'pro', reason: 'x'.repeat(201) }],
    ['rotate', 'grace_hours', { grace_hours: 'many' }],
    ['bind', 'domain', { domain: 'a..b' }],
    ['bind', 'domain', { domain: ' ' }],
    ['suspend', 'reason', { hold: 'dispute', reason: '' }],
  ])('a refused form of %s has its error at %s and keeps the input', async (verb, field, form) => {
    const { path } = await issue('--plan', 'pro');
    const { status, text } = await operator.post(`${path}/${verb}`, { reason: 'ticket 7', ...form });
    expect([status, text.match(/role="alert"/g)?.length]).toEqual([400, 1]);
    expect(text).toContain(`id="error-${field}"`);
    expect(text).toMatch(new RegExp(`aria-invalid="true" aria-describedby="error-${field}" name="${field}"`));
    const sent = (await formsOf(text)).find(({ action }) => action === `${path}/${verb}`);
    expect(sent?.fields).toMatchObject({ reason: 'ticket 7', ...form });
    expect(readable(text)).not.toContain(`${field}:`);
    expect(readable(text)).not.toContain('Expected');
  });

  test('Extend is offered only with an expiry, and each link opens its form', async () => {
    const [endless, ending] = [
      await issue('--plan', 'pro'),
      await issue('--plan', 'pro', '--expires', '2031-01-01'),
    ];
    expect((await operator.get(endless.path)).text).not.toContain('act=extend');
    const { text } = await operator.get(ending.path);
    const names = [...text.matchAll(/\?act=([a-z-]+)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) {
      const opened = await operator.get(`${ending.path}?act=${name}`);
      expect([name, opened.text.match(/id="act"/g)?.length]).toEqual([name, 1]);
    }
    for (const query of ['act=extend', 'act=<b>', 'tab=<b>', 'tab=toString']) {
      const opened = await operator.get(`${endless.path}?${query}`);
      expect([query, opened.status, opened.text.includes('id="act"')]).toEqual([query, 200, false]);
    }
    expect((await viewer.get(`${ending.path}?act=revoke`)).text).not.toContain('id="act"');
  });
});

test('acts and refusals are in one history, and no raw identifier is on any tab', async () => {
  const { id, path, key } = await issue(
    '--plan',
    'free',
    '--domain',
    'one.example.com',
    '--customer',
    'Zq & Sons',
  );
  await service.command('license', 'suspend', id, '--hold', 'dispute', '--reason', 'order 1015');
  await service.command('license', 'resume', id, '--hold', 'dispute');
  await verify(key, 'two.example.com');
  await fetch(`${service.url}${API}/scan`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ site_url: 'one.example.com' }),
  });
  await refused(path, 'two.example.com');
  const activity = await until(async () => {
    const words = await read(`${path}?tab=activity`);
    return words.includes('Request to Scan refused: plan required') && words;
  });
  expect(activity).toContain('License check for two.example.com refused: site limit reached once');
  expect(activity).toMatch(/Suspended \(disputed payment\) by .+ \(command line\): order 1015/);
  expect(activity.indexOf('two.example.com refused')).toBeLessThan(
    activity.indexOf('License issued (plan Free)'),
  );
  for (const tab of ['summary', 'sites', 'activity', 'limits']) {
    const words = (await read(`${path}?tab=${tab}`)).replaceAll(/rdt_live_…\w+/g, 'KEY');
    expect([tab, words]).toEqual([
      tab,
      expect.not.stringMatching(/\b[a-z]+_[a-z]+|\d{4}-\d\d-\d\d|redoubt license/),
    ]);
    const seen = await viewer.get(`${path}?tab=${tab}`);
    expect([tab, seen.status, seen.text]).toEqual([
      tab,
      200,
      expect.not.stringMatching(/Zq|order 1015|by \w/),
    ]);
  }
});
