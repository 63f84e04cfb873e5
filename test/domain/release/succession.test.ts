import { expect, test } from 'bun:test';
import fc from 'fast-check';
import compare from 'semver/functions/compare.js';
import { releaseOf } from '../../../src/domain/release/release.ts';
import { type InstalledRelease, successionOf } from '../../../src/domain/release/succession.ts';

const version = fc.tuple(
  fc.constantFrom('0.9.0', '1.0.0', '1.0.1', '1.2.0', '1.10.0', '2.0.0'),
  fc.constantFrom('', '-rc.1', '-rc.2'),
);
const installed: fc.Arbitrary<InstalledRelease> = fc
  .tuple(version, fc.integer({ min: 0, max: 3 }))
  .map(([parts, serial]) => ({ version: parts.join(''), serial }));

const outcome = (next: InstalledRelease, now: InstalledRelease, platform = 'linux-x64') => {
  try {
    return successionOf(releaseOf(next.version, next.serial * 1_000, 'linux-x64'), now, platform);
  } catch {
    return 'refused';
  }
};

test('no release follows one with a higher serial or version, and each step has at most one direction', () => {
  fc.assert(
    fc.property(installed, installed, (one, two) => {
      const there = outcome(two, one);
      const order = compare(two.version, one.version);
      if (there === 'newer')
        expect([two.serial > one.serial, order >= 0, outcome(one, two)]).toEqual([true, true, 'refused']);
      else if (there === 'same') expect([two.serial, order]).toEqual([one.serial, 0]);
      else expect(two.serial <= one.serial || order < 0).toBe(true);
    }),
  );
});

test('every step requires this platform', () => {
  fc.assert(
    fc.property(installed, installed, (one, two) => {
      expect(outcome(two, one, 'linux-arm64')).toBe('refused');
    }),
  );
});

test('every release follows a build without git of its version or an older one', () => {
  expect(outcome({ version: '1.0.0', serial: 1 }, { version: '1.0.0', serial: 0 })).toBe('newer');
  expect(outcome({ version: '0.9.0', serial: 1 }, { version: '1.0.0', serial: 0 })).toBe('refused');
});
