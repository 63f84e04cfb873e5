import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultOffer, grantOf, SLUG } from '../../src/domain/payment/price-list.ts';
import { ConfigRefused, loadConfig, shownConfig } from '../../src/settings/config.ts';
import { loadOffer } from '../../src/settings/offer.ts';
import { run, start, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function file(content: unknown): string {
  const path = join(temporaryDirectory(), 'catalog.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const item = { name: 'Gold', plan: 'pro', stripe_price: 'price_1Gold' };

describe('the catalogue', () => {
  test('is embedded: every slug is well formed and grants something', () => {
    expect(loadOffer(undefined)).toBe(defaultOffer);
    for (const [slug, { plan, modules }] of Object.entries(defaultOffer.priceList)) {
      expect(slug).toMatch(SLUG);
      expect(plan ?? modules).toBeDefined();
    }
  });

  test('comes from the file: its items only, its plans over the embedded ones', () => {
    const plans = { starter: { sites_allowed: 5, modules: ['firewall'] } };
    const offer = loadOffer(
      file({
        plans,
        items: {
          gold: item,
          'pc-guard': { name: 'PC', modules: ['pc_guard'], currency: 'eur', unit_amount: 0 },
        },
      }),
    );
    expect(offer.priceList).toEqual({
      gold: { name: 'Gold', plan: 'pro', price: { priceId: 'price_1Gold' } },
      'pc-guard': { name: 'PC', modules: ['pc_guard'], price: { currency: 'eur', unitAmount: 0 } },
    });
    expect(offer.catalog.starter).toEqual({ sitesAllowed: 5, modules: ['firewall'] });
    expect(offer.catalog.pro).toBe(defaultOffer.catalog.pro);
  });

  test('grants the highest plan and each module once', () => {
    expect(grantOf(defaultOffer.priceList, ['starter', 'enterprise', 'pro', 'pc-guard', 'pc-guard'])).toEqual(
      {
        plan: 'enterprise',
        modules: ['pc_guard'],
      },
    );
    expect(grantOf(defaultOffer.priceList, ['toString', 'gone'])).toEqual({ plan: undefined, modules: [] });
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'is not JSON'],
    ['no items', {}, 'items'],
    ['an unknown plan', { items: { gold: { ...item, plan: 'gold' } } }, '/items/gold'],
    ['an unknown plan among the plans', { plans: { gold: {} }, items: {} }, '/plans'],
    ['an unknown field', { items: { gold: { ...item, discount: 1 } } }, '/items/gold'],
    ['a malformed slug', { items: { 'Gold!': item } }, '/items'],
    ['two prices', { items: { gold: { ...item, currency: 'eur', unit_amount: 1 } } }, '/items/gold'],
    [
      'an incomplete price',
      { items: { gold: { name: 'Gold', plan: 'pro', currency: 'eur' } } },
      '/items/gold',
    ],
    [
      'a negative price',
      { items: { gold: { name: 'G', plan: 'pro', currency: 'eur', unit_amount: -1 } } },
      'gold',
    ],
    [
      'an item that grants nothing',
      { items: { gold: { name: 'G', stripe_price: 'price_1' } } },
      '/items/gold',
    ],
    [
      'an item with no modules',
      { items: { gold: { name: 'G', stripe_price: 'price_1', modules: [] } } },
      'gold',
    ],
    [
      'a repeated module',
      { items: { gold: { ...item, modules: ['pc_guard', 'pc_guard'] } } },
      '/items/gold/modules',
    ],
    [
      'a repeated slug',
      `{"items":{"gold":${JSON.stringify(item)},"gold":${JSON.stringify(item)}}}`,
      '/items/gold: is repeated',
    ],
    [
      'a repeated field',
      '{"items":{"gold":{"name":"G","plan":"pro","plan":"free","stripe_price":"price_1"}}}',
      '/items/gold/plan: is repeated',
    ],
    [
      'a repeated plan',
      `{"plans":{"pro":{"sites_allowed":1,"modules":[]},"pro":{"sites_allowed":2,"modules":[]}},"items":{}}`,
      '/plans/pro: is repeated',
    ],
    [
      'two currencies',
      {
        items: {
          gold: item,
          pro: { name: 'P', plan: 'pro', currency: 'eur', unit_amount: 1 },
          guard: { name: 'G', modules: ['pc_guard'], currency: 'usd', unit_amount: 1 },
        },
      },
      'catalog.json: /items/guard: currency is usd, but eur in /items/pro. Use one currency for all items',
    ],
    ['a malformed module', { items: { gold: { ...item, modules: ['No'] } } }, '/items/gold/modules'],
  ])('is refused with its place when the file has %s', (_, content, place) => {
    const path = file(content);
    expect(() => loadOffer(path)).toThrow(ConfigRefused);
    expect(() => loadOffer(path)).toThrow(place);
    expect(() => loadOffer(path)).toThrow('SERVICE_CATALOG_FILE');
  });

  test('is checked at the start: one line, exit code 2', async () => {
    const priced = (currency: string) => ({ name: 'P', plan: 'pro', currency, unit_amount: 1 });
    const mixed = file({ items: { pro: priced('eur'), 'pro-us': priced('usd') } });
    for (const path of ['/nowhere/at/all', file('{'), mixed]) {
      const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_PORT: '0', SERVICE_CATALOG_FILE: path };
      const { exitCode, stderr } = await run('binary', env, 'serve');
      expect([exitCode, stderr.trim().split('\n').length]).toEqual([2, 1]);
      expect(stderr).toContain(`SERVICE_CATALOG_FILE: ${path}: `);
    }
  });

  test('applies to licenses, their commands and checkout, and changes with a reload', async () => {
    const path = file({ plans: { pro: { sites_allowed: 7, modules: ['firewall'] } }, items: { gold: item } });
    // Its own process: its catalogue is a setting, and is reloaded.
    const service = await start('binary', {
      SERVICE_CATALOG_FILE: path,
      SERVICE_RATE_IP_PER_MINUTE: '100000',
    });
    const { key, license_id } = await service.issue('--plan', 'pro');
    const sites = async () => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`${service.url}/api/v1/auth/verify`, { method: 'POST', headers });
      return ((await answer.json()) as { data: { sites_allowed: number } }).data.sites_allowed;
    };
    const order = async (slug: string) => {
      const body = JSON.stringify({ items: [slug] });
      return (await fetch(`${service.url}/api/v1/checkout`, { method: 'POST', body })).status;
    };
    expect([await sites(), await order('gold'), await order('pro')]).toEqual([7, 200, 400]);
    const shown = JSON.parse(await service.command('license', 'show', license_id, '--json'));
    expect(shown.sites_allowed).toBe(7);
    writeFileSync(path, JSON.stringify({ items: { 'gold-plus': item } }));
    service.process.kill('SIGHUP');
    await until(async () => (await order('gold-plus')) === 200);
    expect([await sites(), await order('gold')]).toEqual([25, 400]);
    await service.end();
  });
});

describe('the secrets of Stripe', () => {
  const file = (text: string) => {
    const path = join(temporaryDirectory(), 'secret');
    writeFileSync(path, text);
    return path;
  };

  test('come from files, and are masked wherever settings are shown', () => {
    const config = loadConfig({
      SERVICE_STRIPE_SECRET_KEY_FILE: file('rk_live_abc\n'),
      SERVICE_STRIPE_WEBHOOK_SECRET_FILE: file('whsec_abc\n'),
    });
    expect([config.stripeSecretKey, config.stripeWebhookSecret]).toEqual(['rk_live_abc', 'whsec_abc']);
    expect(JSON.stringify(shownConfig(config))).not.toContain('_abc');
  });

  test.each([
    [{ SERVICE_STRIPE_SECRET_KEY: 'pk_test_sentinel' }, 'SERVICE_STRIPE_SECRET_KEY'],
    [
      { SERVICE_STRIPE_SECRET_KEY: 'sk_test_sentinel', SERVICE_STRIPE_WEBHOOK_SECRET: 'sentinel' },
      'WEBHOOK_SECRET',
    ],
    [{ SERVICE_STRIPE_WEBHOOK_SECRET: 'whsec_sentinel' }, 'requires SERVICE_STRIPE_SECRET_KEY. Set it too'],
    [{ SERVICE_STRIPE_SECRET_KEY: 'sk_test_a', SERVICE_STRIPE_SECRET_KEY_FILE: '/x' }, 'Unset one of them'],
    [{ SERVICE_STRIPE_SECRET_KEY_FILE: '/nowhere' }, 'SERVICE_STRIPE_SECRET_KEY_FILE'],
  ])('that are unusable are refused by name, never by value: %j', (environment, name) => {
    const load = () => loadConfig(environment as Record<string, string>);
    expect(load).toThrow(name);
    expect(load).not.toThrow('sentinel');
  });
});
