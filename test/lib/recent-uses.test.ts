import { expect, test } from 'bun:test';
import { RecentUses } from '../../src/lib/recent-uses.ts';

test('a use is recent for its time, for its user, until it is withdrawn', () => {
  let now = 0;
  const uses = new RecentUses<'feed' | 'scan'>(100, () => now);
  uses.note('feed', 1);
  now = 99;
  expect([uses.isRecent('feed', 1), uses.isRecent('feed', 2), uses.isRecent('scan', 1)]).toEqual([
    true,
    false,
    false,
  ]);
  now = 100;
  expect(uses.isRecent('feed', 1)).toBe(false);
  uses.note('feed', 1);
  uses.forget('feed', 1);
  expect(uses.isRecent('feed', 1)).toBe(false);
});

test('a limited number is remembered, the newest', () => {
  let now = 0;
  const uses = new RecentUses<'feed'>(100, () => now++, 2);
  for (const user of [1, 2, 1, 3]) uses.note('feed', user);
  expect([1, 2, 3].map((user) => uses.isRecent('feed', user))).toEqual([true, false, true]);
});
