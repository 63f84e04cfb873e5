import { describe, expect, test } from 'bun:test';
import { trialDomain } from '../../../src/domain/license/trial-domain.ts';
import { registrableDomain } from '../../../src/domain/site/registrable-domain.ts';
import { normalizeSiteDomain } from '../../../src/domain/site/site-domain.ts';

// Of the vectors that the list publishes, https://publicsuffix.org/list/ (tests/test_psl.txt).
test.each([
  ['com', undefined],
  ['example.com', 'example.com'],
  ['b.example.com', 'example.com'],
  ['a.b.example.com', 'example.com'],
  ['uk.com', undefined],
  ['example.uk.com', 'example.uk.com'],
  ['c.kobe.jp', undefined],
  ['b.c.kobe.jp', 'b.c.kobe.jp'],
  ['a.b.c.kobe.jp', 'b.c.kobe.jp'],
  ['city.kobe.jp', 'city.kobe.jp'],
  ['www.city.kobe.jp', 'city.kobe.jp'],
  ['www.ck', 'www.ck'],
  ['test.ck', undefined],
  ['b.test.ck', 'b.test.ck'],
  ['k12.ak.us', undefined],
  ['test.k12.ak.us', 'test.k12.ak.us'],
  ['www.xn--85x722f.xn--55qx5d.cn', 'xn--85x722f.xn--55qx5d.cn'],
  ['xn--fiqs8s', undefined],
  ['listed.nowhere', 'listed.nowhere'],
])('the registrable domain of %p is %p', (host, domain) => {
  expect(registrableDomain(host, { privateSuffixes: true })).toBe(domain);
});

test('customers of one host are distinguished only where private suffixes count', () => {
  const both = (host: string) =>
    [true, false].map((privateSuffixes) => registrableDomain(host, { privateSuffixes }));
  expect(both('www.alice.github.io')).toEqual(['alice.github.io', 'github.io']);
  expect(both('github.io')).toEqual([undefined, 'github.io']);
});

describe('the domain that a trial of a site counts for', () => {
  test.each([
    ['https://www.www.shop.co.uk/x', 'shop.co.uk'],
    ['a.b.c.shop.com', 'shop.com'],
    ['SHOP.com.', 'shop.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
    ['blog.alice.github.io', 'alice.github.io'],
  ])('%p is %p', (text, domain) => {
    expect(trialDomain(normalizeSiteDomain(text) ?? { name: '', counted: false })).toBe(domain);
  });

  test.each(['co.uk', 'github.io', '8.8.8.8', '[2606:4700::1]', 'shop.localhost', 'a.test'])(
    '%p has none',
    (text) => {
      const site = normalizeSiteDomain(text);
      expect(site).toBeDefined();
      expect(site && trialDomain(site)).toBeUndefined();
    },
  );
});
