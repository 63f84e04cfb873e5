import { expect, test } from 'bun:test';
import { FairQueue } from '../../src/lib/fair-queue.ts';

const drained = (queue: FairQueue<string, string>) => {
  const items: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) items.push(item);
  return items;
};

test('serves owners in turn, each in its own order', () => {
  const queue = new FairQueue<string, string>(9, 9);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item.charAt(0), item);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('one that comes back has its turn behind those who wait', () => {
  const queue = new FairQueue<string, string>(9, 9);
  for (const item of ['a1', 'b1', 'c1']) queue.add(item.charAt(0), item);
  expect(queue.next()).toBe('a1');
  queue.add('a', 'a2');
  expect(drained(queue)).toEqual(['b1', 'c1', 'a2']);
});

test('has room for so many of one owner and so many in all, and again once they are out', () => {
  const queue = new FairQueue<string, string>(2, 3);
  const add = (item: string) => queue.add(item.charAt(0), item);
  expect(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(add)).toEqual([true, true, false, true, false, false]);
  expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('c', 'c1')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(['a3', 'b2'].map(add)).toEqual([true, false]);
  expect(drained(queue)).toEqual(['a2', 'b1', 'a3']);
  expect(add('c1')).toBe(true);
});
