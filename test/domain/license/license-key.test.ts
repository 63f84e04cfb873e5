import { expect, test } from 'bun:test';
import {
  hashLicenseKey,
  isWellFormedKey,
  mayBeKey,
  newLicenseKey,
  storedKey,
} from '../../../src/domain/license/license-key.ts';

test.each(['live', 'test'] as const)(
  'of a new %s key only its hash and its displayable parts are stored',
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

test("another system's key is 16 to 128 printable characters, of which the last four are shown", () => {
  for (const key of ['x'.repeat(16), 'x'.repeat(128), '!"#,~;=&%$|0123456']) {
    expect(mayBeKey(key)).toBe(true);
    expect(storedKey(key)).toEqual({ keyHash: hashLicenseKey(key), keyPrefix: '', keyLast4: key.slice(-4) });
  }
  const long = 'x'.repeat(20);
  const others = [long.slice(5), long.repeat(7), `rdt_${long}`, `${long} x`, 'é'.repeat(20)];
  expect(others.filter(mayBeKey)).toEqual([]);
  expect(mayBeKey(newLicenseKey('live').key)).toBe(true);
});
