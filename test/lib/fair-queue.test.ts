import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FairQueue } from '../../src/lib/fair-queue.ts';

const drained = (queue: FairQueue<string, string>) => {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
};
const adding = (queue: FairQueue<string, string>) => (item: string) => queue.add(item.charAt(0), item);

test('owners are served in turn, each in its own order', () => {
  const queue = new FairQueue<string, string>(9, 9);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a returning owner gets its turn after those who wait', () => {
  const queue = new FairQueue<string, string>(9, 9);
  for (const item of ['a1', 'b1', 'c1']) queue.add(item.charAt(0), item);
  expect(queue.next()).toBe('a1');
  queue.add('a', 'a2');
  expect(drained(queue)).toEqual(['b1', 'c1', 'a2']);
});

test('a limited number of one owner is accepted, and more once they are served', () => {
  const queue = new FairQueue<string, string>(2, 9);
  expect(['a1', 'a2', 'a3', 'b1'].map(adding(queue))).toEqual([undefined, undefined, 'a3', undefined]);
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(adding(queue)('a4')).toBeUndefined();
  expect(drained(queue)).toEqual(['a2', 'b1', 'a4']);
  expect(adding(queue)('a5')).toBeUndefined();
});

test('in a full queue the owner with most loses its newest, and an owner with as many is refused', () => {
  const queue = new FairQueue<string, string>(9, 4);
  const add = adding(queue);
  expect(['a1', 'a2', 'a3', 'a4'].map(add)).toEqual(Array(4).fill(undefined));
  expect(['b1', 'a5', 'b2', 'b3', 'c1', 'd1', 'e1'].map(add)).toEqual([
    ...['a4', 'a5', 'a3', 'b3'],
    ...['a2', 'b2', 'e1'],
  ]);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'd1']);
});

test('a queue never exceeds its limit, reports every loss, and refuses no new owner while any has two', () => {
  const MAX = 8;
  const OWNER_MAX = 3;
  const step = fc.oneof(fc.constantFrom(...'abcdefghij'), fc.constant('next'));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = new FairQueue<string, string>(OWNER_MAX, MAX);
      /** Its expected content, by owner. */
      const waiting = new Map<string, string[]>();
      const of = (owner: string) => waiting.get(owner) ?? [];
      const out = (item: string) => {
        const owner = item.charAt(0);
        expect(of(owner)).toContain(item);
        waiting.set(
          owner,
          of(owner).filter((other) => other !== item),
        );
      };
      for (const [index, owner] of steps.entries()) {
        if (owner === 'next') {
          const item = queue.next();
          const [first] = item === undefined ? [] : of(item.charAt(0));
          expect(item).toBe(first);
          if (item !== undefined) out(item);
          else expect([...waiting.values()].flat()).toEqual([]);
          continue;
        }
        const before = new Map(waiting);
        const most = Math.max(0, ...[...before.values()].map(({ length }) => length));
        const item = `${owner}${index}`;
        waiting.set(owner, [...of(owner), item]);
        const lost = queue.add(owner, item);
        if (lost !== undefined) {
          out(lost);
          if (lost === item)
            expect(before.get(owner)?.length ?? 0).toBeGreaterThanOrEqual(Math.min(OWNER_MAX, most - 1));
          else
            expect([before.get(lost.charAt(0))?.length, before.get(lost.charAt(0))?.at(-1)]).toEqual([
              most,
              lost,
            ]);
        }
        expect([...waiting.values()].flat().length).toBeLessThanOrEqual(MAX);
      }
      expect(drained(queue).sort()).toEqual([...waiting.values()].flat().sort());
    }),
  );
});
