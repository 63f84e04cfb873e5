import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareVersions, newestVersion } from '../../src/lib/version-order.ts';

const ASCENDING = ['0.9', '1.0.0-rc.1', '1', '1.0.1', '1.2', 'v1.9.9', '1.10', '2.0-beta', '2.0.0', '10.0'];

test('versions are ordered by their numbers, a pre-release below its release', () => {
  for (const [index, version] of ASCENDING.entries())
    for (const [other, against] of ASCENDING.entries())
      expect([version, against, Math.sign(compareVersions(version, against))]).toEqual([
        version,
        against,
        Math.sign(index - other),
      ]);
  expect(compareVersions('1', '1.0.0')).toBe(0);
});

test('any texts have an order, and a newest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[0-9.-]{0,12}$/)), { minLength: 1 }),
      (texts) => {
        const newest = newestVersion(texts) as string;
        for (const text of texts) expect(compareVersions(text, newest)).toBeLessThanOrEqual(0);
      },
    ),
  );
  expect(newestVersion([])).toBeUndefined();
});
