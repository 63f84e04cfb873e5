import { expect, test } from 'bun:test';
import { accentOf } from '../../src/domain/brand/accent.ts';
import { type Brand, OWN_BRAND } from '../../src/domain/brand/brand.ts';
import { badgeOf } from '../../src/routes/trust/badge.ts';
import { trustPages } from '../../src/routes/trust/page.ts';
import type { PublicTrust } from '../../src/tasks/trust.ts';

const accent = accentOf('#5b2aa0');
if (!accent || 'nearest' in accent) throw new Error('refused');
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>';
const BRAND: Brand = {
  name: 'Us & "co"',
  logo: { type: 'image/svg+xml', content: new TextEncoder().encode(LOGO) },
  accent,
  support: undefined,
};
const SITE: PublicTrust = {
  trustId: 't',
  domain: 'shop.example',
  state: 'assessed',
  grade: 'A',
  credential: null,
  assessedAt: 0,
  validUntil: 1,
  assessed: [],
};

test('a trust page shows the name of the brand, with its picture and colour inline', () => {
  const { policy, ofSite, notFound } = trustPages(BRAND);
  for (const page of [ofSite(SITE, 'https://a.example'), notFound]) {
    expect(page).toContain(
      `<img src="data:image/svg+xml;base64,${btoa(LOGO)}" alt="">Us &amp; &quot;co&quot;`,
    );
    expect(page).toContain('--accent:light-dark(#5b2aa0,');
  }
  expect(ofSite(SITE, 'https://a.example')).toContain('Us &amp; &quot;co&quot;, https://a.example');
  expect(policy).toContain('img-src data:;');
  expect(policy).not.toContain('unsafe');
});

test('without a brand it has no picture, and its policy allows none', () => {
  const { policy, ofSite } = trustPages(OWN_BRAND);
  expect([ofSite(SITE, 'https://a.example').includes('<img'), policy.includes('img-src')]).toEqual([
    false,
    false,
  ]);
});

test('the title of a badge contains the brand, as text', () => {
  const at = { domain: 'shop.example', grade: 'A', assessedAt: 0 } as const;
  expect(badgeOf(at, false, BRAND.name)).toContain(
    '<title>Security assessment of shop.example by Us &amp; &quot;co&quot;: grade A on 1970-01-01</title>',
  );
});
