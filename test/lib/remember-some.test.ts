import { expect, test } from 'bun:test';
import { rememberSome } from '../../src/lib/remember-some.ts';

/** Caches texts in capitals, and records its loads. */
function watched(max: number, weigh?: (value: string) => number) {
  const asked: string[] = [];
  const found = rememberSome(
    (key: string) => {
      asked.push(key);
      return key === '' ? undefined : key.toUpperCase();
    },
    max,
    weigh,
  );
  return { asked, found };
}

test('a found value is not loaded again', () => {
  const { asked, found } = watched(2);
  expect(['a', 'b', 'a', 'b'].map(found)).toEqual(['A', 'B', 'A', 'B']);
  expect(asked).toEqual(['a', 'b']);
});

test('an absent value is loaded again', () => {
  const { asked, found } = watched(2);
  expect(['', ''].map(found)).toEqual([undefined, undefined]);
  expect(asked).toEqual(['', '']);
});

test('when the cache is full, the oldest quarter is dropped, and nothing before', () => {
  const { asked, found } = watched(4);
  for (const key of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'e', 'c', 'd', 'e', 'b']) found(key);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});

test('the size counts by weight, and a value that is too heavy alone is not cached', () => {
  const { asked, found } = watched(4, ({ length }) => length);
  for (const key of ['aa', 'bb', 'aa', 'c', 'c', 'bb', 'aa', 'ddddd', 'ddddd']) found(key);
  expect(asked).toEqual(['aa', 'bb', 'c', 'aa', 'ddddd', 'ddddd']);
});
