import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { firstIndex } from '../../src/lib/first-index.ts';

test('the first of sorted items that passes is found, or their number if none does', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -20, max: 20 })),
      fc.integer({ min: -21, max: 21 }),
      (items, from) => {
        const sorted = items.toSorted((a, b) => a - b);
        const found = sorted.findIndex((each) => each >= from);
        expect(firstIndex(sorted, (each) => each >= from)).toBe(found < 0 ? sorted.length : found);
      },
    ),
  );
});
