import { expect, test } from 'bun:test';
import { backupName, backupNameIn, installationTag } from '../../../src/domain/backup/backup-name.ts';

const AT = Date.parse('2026-11-24T03:14:26Z');

test('a name contains installation and moment, and parses to both', () => {
  expect(backupName('3f9a1c2e', AT + 999, false)).toBe('redoubt-3f9a1c2e-20261124T031426Z.tar');
  for (const isEncrypted of [false, true])
    expect(backupNameIn(backupName('3f9a1c2e', AT, isEncrypted))).toEqual({
      installation: '3f9a1c2e',
      at: AT,
    });
  expect(installationTag(Buffer.from('3f9a1c2eff', 'hex').toString('base64url'))).toBe('3f9a1c2e');
});

test.each([
  'redoubt-3f9a1c2e-20261124T031426Z.tar.partial',
  'redoubt-3f9a1c2e-20261399T031426Z.tar',
  'redoubt-3f9a1c2e.tar',
  'my-redoubt-3f9a1c2e-20261124T031426Z.tar',
  'redoubt-3F9A1C2E-20261124T031426Z.tar',
])('"%s" is not the name of a backup', (name) => {
  expect(backupNameIn(name)).toBeUndefined();
});
