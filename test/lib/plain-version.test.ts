import { expect, test } from 'bun:test';
import { versionOrder } from '../../src/domain/vulnerability/version-order.ts';
import { plainVersion } from '../../src/lib/plain-version.ts';
import { isOlderVersion } from '../../src/lib/version-order.ts';
import { versionMeant, versionsMeant } from '../../src/mirror/formats/version-words.ts';

const WRITTEN = [
  ...[
    'v1.4.2',
    'V1.4.2',
    'v 1.4.2',
    'v.1.4.2',
    'version 1.4.2',
    'Version 1.4.2',
    'ver. 1.4.2',
    ' 1.4.2\n',
    '\ufeffv1.4.2',
    'Version: 1.4.2',
    '1.4.2 stable',
    '1.4.2 (Final)',
  ].map((text) => [text, '1.4.2'] as const),
  ...['1.0 RC1', 'v1.0 RC1', '1.0 RC 1', '1.0  RC1', '1.0\tRC-1'].map((text) => [text, '1.0-RC1'] as const),
  ['1.0 beta 2', '1.0-beta2'],
  ['1.0 (beta)', '1.0-beta'],
  ['1.0 (RC 1)', '1.0-RC1'],
  ['1.0 alpha', '1.0-alpha'],
  ['1.0 dev', '1.0-dev'],
  ['2.0 pl1', '2.0-pl1'],
] as const;

test.each(WRITTEN)('%j is %s for every parser of versions', (written, plain) => {
  expect(plainVersion(written)).toBe(plain);
  for (const ecosystem of ['wordpress-core', 'wordpress-plugin', 'wordpress-theme', 'pypi'] as const) {
    const order = versionOrder(ecosystem);
    // PyPI has no patch levels.
    if (ecosystem === 'pypi' && plain.includes('pl')) continue;
    expect([ecosystem, order.compare(written, plain), order.compare(plain, written)]).toEqual([
      ecosystem,
      0,
      0,
    ]);
    expect(order.prepare(written).compareToBound(plain)).toBe(0);
    expect(order.prepare(plain).compareToBound(written)).toBe(0);
    expect(order.prepare(plain).isNamedBy(written)).toBe(true);
  }
  expect(versionMeant(written)).toBe(plain);
  expect(versionsMeant(`before ${written}`)).toMatchObject({ run: { to: plain }, isVague: false });
  expect(versionsMeant(`<= ${written}`)).toMatchObject({ run: { to: plain, toInclusive: true } });
  expect([isOlderVersion(written, '9'), isOlderVersion('0.9', written)]).toEqual([true, true]);
});

test.each(['npm', 'debian:12', 'ubuntu:24.04'] as const)('a leading v is ignored in %s', (ecosystem) => {
  const { compare } = versionOrder(ecosystem);
  for (const written of ['v1.4.2', 'V1.4.2', ' v1.4.2\n']) expect(compare(written, '1.4.2')).toBe(0);
});

test.each([
  '',
  'v',
  'vv1',
  'trunk',
  '1.0 and earlier',
  '1.0 - 1.5',
  '1.x',
  '1.0 2.0',
  'a1',
  '1.0 build of May',
])('%j is unchanged', (text) => {
  expect(plainVersion(text)).toBe(text);
});
