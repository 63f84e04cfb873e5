import { expect, test } from 'bun:test';
import { rememberSome } from '../../src/lib/remember-some.ts';

/** Remembers texts in capitals, and notes what it was asked to make. */
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

test('what was found is not looked for again', () => {
  const { asked, found } = watched(2);
  expect(['a', 'b', 'a', 'b'].map(found)).toEqual(['A', 'B', 'A', 'B']);
  expect(asked).toEqual(['a', 'b']);
});

test('that there is nothing is looked for again', () => {
  const { asked, found } = watched(2);
  expect(['', ''].map(found)).toEqual([undefined, undefined]);
  expect(asked).toEqual(['', '']);
});

test('when it gets too much, a quarter that was found first is forgotten, and nothing before', () => {
  const { asked, found } = watched(4);
  for (const key of ['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd', 'e', 'c', 'd', 'e', 'b']) found(key);
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});

test('how much it is goes by weight, and what is too heavy alone is not remembered', () => {
  const { asked, found } = watched(4, ({ length }) => length);
  for (const key of ['aa', 'bb', 'aa', 'c', 'c', 'bb', 'aa', 'ddddd', 'ddddd']) found(key);
  expect(asked).toEqual(['aa', 'bb', 'c', 'aa', 'ddddd', 'ddddd']);
});
