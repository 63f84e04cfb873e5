import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { normalizeSiteDomain } from '../../../src/domain/site/site-domain.ts';

const site = (name: string) => ({ name, counted: true });
const development = (name: string) => ({ name, counted: false });
const label63 = 'a'.repeat(63);
const name253 = `${label63}.${label63}.${label63}.${'a'.repeat(61)}`;

test.each<[string, unknown]>([
  ['www.developer.com', site('developer.com')],
  ['www.localbusiness.com', site('localbusiness.com')],
  ['devils.co.uk', site('devils.co.uk')],
  ['web.dev', site('web.dev')],
  ['localhostess.com', site('localhostess.com')],
  ['mylocal', undefined],
  ['contest.com', site('contest.com')],
  ['bücher.de', site('xn--bcher-kva.de')],
  ['EXAMPLE.com.', site('example.com')],
  ['http://www.example.com:8080/x', site('example.com')],
  ['  https://Example.com/a?b#c ', site('example.com')],
  ['www.com', site('www.com')],
  ['www.www.example.com', site('www.example.com')],
  ['8.8.8.8', site('8.8.8.8')],
  ['[2606:4700::1]', site('[2606:4700::1]')],
  ['10.0.0.1', development('10.0.0.1')],
  ['192.168.1.1:8443', development('192.168.1.1')],
  ['[::1]', development('[::1]')],
  ['[::ffff:10.0.0.1]', development('[::ffff:a00:1]')],
  ['localhost', development('localhost')],
  ['shop.localhost', development('shop.localhost')],
  ['a.test', development('a.test')],
  ['nas.local', development('nas.local')],
  ['x.invalid', development('x.invalid')],
  ['shop.internal', development('shop.internal')],
  ['https://www.Shop.INTERNAL.:8443/x', development('shop.internal')],
  ['nas.home.arpa', development('nas.home.arpa')],
  ['home.arpa', development('home.arpa')],
  ['localhost.localdomain', development('localhost.localdomain')],
  ['a.b.localdomain', development('a.b.localdomain')],
  ['internal', undefined],
  ['localdomain', undefined],
  ['shopinternal.com', site('shopinternal.com')],
  ['internal.com', site('internal.com')],
  ['shop.internals', site('shop.internals')],
  ['shop.internal.example.org', site('shop.internal.example.org')],
  ['myhome.arpa', site('myhome.arpa')],
  ['home.arpa.com', site('home.arpa.com')],
  ['arpa.org', site('arpa.org')],
  ['x.notlocaldomain', site('x.notlocaldomain')],
  ['x.example', development('x.example')],
  ['a..b', undefined],
  ['.a.com', undefined],
  ['a.com..', undefined],
  ['-a.com', undefined],
  ['a-.com', undefined],
  ['user@host', undefined],
  ['https://user:pw@host.com', undefined],
  ['ftp://example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['exa mple.com', undefined],
  ['exa\tmple.com', undefined],
  ['example', undefined],
  ['', undefined],
  ['   ', undefined],
  ['http://', undefined],
  ['0', undefined],
  ['127.1', undefined],
  ['2130706433', undefined],
  ['0x7f.1', undefined],
  ['http://010.0.0.1/', undefined],
  ['*.example.com', undefined],
  [`${label63}.com`, site(`${label63}.com`)],
  [`${label63}a.com`, undefined],
  [name253, site(name253)],
  [`${name253}a`, undefined],
])('%p', (text, expected) => {
  expect(normalizeSiteDomain(text)).toEqual(expected as never);
});

test("the operator's staging names match whole or at a dot boundary only", () => {
  const staging = ['staging.agency.com'];
  expect(normalizeSiteDomain('shop.staging.agency.com', staging)?.counted).toBe(false);
  expect(normalizeSiteDomain('staging.agency.com', staging)?.counted).toBe(false);
  expect(normalizeSiteDomain('notstaging.agency.com', staging)?.counted).toBe(true);
});

test('parsing never throws, and a normalised name is ASCII, lower-case and unchanged by it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.domain(), fc.webUrl(), fc.ipV4(), fc.ipV6()), (text) => {
      const normalized = normalizeSiteDomain(text);
      if (normalized === undefined) return;
      expect(normalized.name).toMatch(/^[a-z0-9._:[\]-]+$/);
      if (!normalized.name.startsWith('www.'))
        expect(normalizeSiteDomain(normalized.name)).toEqual(normalized);
    }),
    { numRuns: 2_000 },
  );
});
