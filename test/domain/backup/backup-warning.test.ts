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

test('an installation without any backup gets a warning a day after its first license or act', () => {
  expect(warned({})).toBeUndefined();
  expect(warned({ firstAt: NOW - 24 * HOUR + 1 })).toBeUndefined();
  expect(warned({ firstAt: NOW - 24 * HOUR })).toBe('there is no good backup');
});

test("a backup older than the operator's limit in hours causes a warning", () => {
  expect(warned({ lastAt: NOW - 48 * HOUR, firstAt: 0 })).toBeUndefined();
  expect(warned({ lastAt: NOW - 48 * HOUR - 1, firstAt: 0 })).toBe('the last good backup is 2 days old');
  expect(warned({ lastAt: NOW - 25 * HOUR, warnHours: 24 })).toBe('the last good backup is 25 hours old');
  expect(warned({ lastAt: NOW + HOUR })).toBeUndefined();
});

test('a limit of 0 hours causes no warning', () => {
  expect(warned({ firstAt: 0, warnHours: 0 })).toBeUndefined();
  expect(warned({ lastAt: 0, warnHours: 0 })).toBeUndefined();
});

test('with PostgreSQL the text refers to the keys', () => {
  expect([
    warned({ isOfKeys: true, firstAt: NOW - 48 * HOUR }),
    warned({ isOfKeys: true, lastAt: NOW - 72 * HOUR }),
  ]).toEqual(['there is no good backup of the keys', 'the last good backup of the keys is 3 days old']);
});
