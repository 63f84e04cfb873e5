import { expect, test } from 'bun:test';
import { hashLicenseKey, isWellFormedKey, newLicenseKey } from '../../../src/domain/license/license-key.ts';

test.each(['live', 'test'] as const)(
  'of a new %s key only its hash and the parts that may be shown are stored',
  (environment) => {
    const { key, stored } = newLicenseKey(environment);
    expect(isWellFormedKey(key)).toBe(true);
    expect(stored).toEqual({
      keyHash: hashLicenseKey(key),
      keyPrefix: `rdt_${environment}_`,
      keyLast4: key.slice(-4),
    });
  },
);

test('no two keys are alike', () => {
  const keys = Array.from({ length: 1_000 }, () => newLicenseKey('live').key);
  expect(new Set(keys).size).toBe(1_000);
});
