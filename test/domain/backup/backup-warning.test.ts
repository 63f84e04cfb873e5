import { expect, test } from 'bun:test';
import { backupWarning } from '../../../src/domain/backup/backup-warning.ts';

const HOUR = 3_600_000;
const NOW = 1_000 * 24 * HOUR;
const warned = (facts: { lastAt?: number; firstAt?: number; warnHours?: number; isOfKeys?: boolean }) =>
  backupWarning({
    lastAt: undefined,
    firstAt: undefined,
    warnHours: 48,
    isOfKeys: false,
    now: NOW,
    ...facts,
  });

test('an installation that was never backed up is told so a day after its first license or act', () => {
  expect(warned({})).toBeUndefined();
  expect(warned({ firstAt: NOW - 24 * HOUR + 1 })).toBeUndefined();
  expect(warned({ firstAt: NOW - 24 * HOUR })).toBe('there is no good backup');
});

test('a backup warns from the hours on that the operator set, by its age', () => {
  expect(warned({ lastAt: NOW - 48 * HOUR, firstAt: 0 })).toBeUndefined();
  expect(warned({ lastAt: NOW - 48 * HOUR - 1, firstAt: 0 })).toBe('the last good backup is 2 days old');
  expect(warned({ lastAt: NOW - 25 * HOUR, warnHours: 24 })).toBe('the last good backup is 25 hours old');
  expect(warned({ lastAt: NOW + HOUR })).toBeUndefined();
});

test('with 0 hours nobody is warned', () => {
  expect(warned({ firstAt: 0, warnHours: 0 })).toBeUndefined();
  expect(warned({ lastAt: 0, warnHours: 0 })).toBeUndefined();
});

test('where the database is PostgreSQL, the words say that it is about the keys', () => {
  expect([
    warned({ isOfKeys: true, firstAt: NOW - 48 * HOUR }),
    warned({ isOfKeys: true, lastAt: NOW - 72 * HOUR }),
  ]).toEqual(['there is no good backup of the keys', 'the last good backup of the keys is 3 days old']);
});
