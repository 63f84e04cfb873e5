import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { FeedEntry } from '../../../src/domain/threat/feed.ts';
import { changesBetween } from '../../../src/domain/threat/feed-object.ts';

const feed = fc.uniqueArray(
  fc.record({
    fingerprint: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    attack_type: fc.constantFrom('xss', 'csrf'),
    severity: fc.constant('high'),
    corroboration_count: fc.integer({ min: 3, max: 4 }),
  }),
  { selector: ({ fingerprint }) => fingerprint },
) as fc.Arbitrary<FeedEntry[]>;

test('the changes between two feeds turn one into the other, and name no entry that is the same', () => {
  fc.assert(
    fc.property(feed, feed, (before, after) => {
      const changes = changesBetween(JSON.stringify(before), JSON.stringify(after));
      const entries = new Map(before.map((entry) => [entry.fingerprint, entry]));
      for (const { isWithdrawn, ...entry } of changes) {
        const { fingerprint } = entry;
        if (isWithdrawn) expect(entries.get(fingerprint)).toEqual(entry);
        else expect(entries.get(fingerprint)).not.toEqual(entry);
        if (isWithdrawn) entries.delete(fingerprint);
        else entries.set(fingerprint, entry);
      }
      expect(new Map(entries)).toEqual(new Map(after.map((entry) => [entry.fingerprint, entry])));
      expect(new Set(changes.map(({ fingerprint }) => fingerprint)).size).toBe(changes.length);
    }),
  );
});
