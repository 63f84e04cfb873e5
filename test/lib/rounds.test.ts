import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Rounds } from '../../src/lib/rounds.ts';

test('everything has its turn, in order, and then again', () => {
  const rounds = new Rounds(new Set(['a', 'b', 'c']));
  expect([rounds.next(2), rounds.next(2), rounds.next(5)]).toEqual([
    ['a', 'b'],
    ['c', 'a'],
    ['b', 'c', 'a'],
  ]);
});

test('whatever comes and goes, nothing is found twice at once, or once it is gone, or left out for two rounds', () => {
  const step = fc.record({ adds: fc.nat(3), removes: fc.nat(3), looks: fc.nat(6) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const items = new Set<number>();
      const rounds = new Rounds(items);
      let next = 0;
      for (const { adds, removes, looks } of steps) {
        for (let index = 0; index < adds; index++) items.add(next++);
        for (const item of [...items].slice(0, removes)) items.delete(item);
        const found = rounds.next(looks);
        expect(found).toHaveLength(Math.min(looks, items.size));
        expect(new Set(found).size).toBe(found.length);
        for (const item of found) expect(items.has(item)).toBe(true);
      }
      const found = [...rounds.next(items.size), ...rounds.next(items.size)];
      expect(new Set(found)).toEqual(new Set(items));
    }),
  );
});
