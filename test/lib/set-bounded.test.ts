import { expect, test } from 'bun:test';
import { setBounded } from '../../src/lib/set-bounded.ts';

test('the entry that was set longest ago goes when there are too many', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  setBounded(map, 'a', 3, 2);
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
  setBounded(map, 'c', 4, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
