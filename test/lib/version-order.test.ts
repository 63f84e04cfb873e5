import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isOlderVersion, newestVersion } from '../../src/lib/version-order.ts';

describe('versions', () => {
  test.each<[string, string, boolean]>([
    ['1.9.0', '1.10.0', true],
    ['1.10.0', '1.9.0', false],
    ['v2', '2.0.1', true],
    ['V2.1', 'v2.0.9', false],
    ['v1.9', '\ufeffversion 1.10\n', true],
    ['Version 1.0 RC1', '1.1', true],
    ['2.0', '2.0.0', false],
    ['2.0.0-beta', '2.0.0', false],
    ['unknown', '2.0.0', false],
    ['1.0', 'latest', false],
    ['', '', false],
  ])('%p is older than %p: %p', (one, other, expected) => {
    expect(isOlderVersion(one, other)).toBe(expected);
  });

  test('the newest is older than none', () => {
    const versions = fc.array(fc.tuple(fc.nat(20), fc.nat(20)).map((numbers) => numbers.join('.')));
    fc.assert(
      fc.property(versions, (all) => {
        const newest = newestVersion(['nonsense', ...all]);
        if (all.length === 0) expect(newest).toBeNull();
        for (const version of all) expect(isOlderVersion(newest ?? '', version)).toBe(false);
      }),
    );
  });
});
