import { expect, test } from 'bun:test';
import { brokenNameIn, formPairs } from '../../src/lib/form-pairs.ts';

test.each<[string, [string, string][]]>([
  ['', []],
  [
    '?a=1&a=2',
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
  [
    'a=%C3%A4+%F0%9F%98%80&b',
    [
      ['a', 'ä 😀'],
      ['b', ''],
    ],
  ],
  [
    'a=100%&b=%zz&c=%EF%BF%BD',
    [
      ['a', '100%'],
      ['b', '%zz'],
      ['c', '\ufffd'],
    ],
  ],
])('%p is read as a browser does', (encoded, pairs) => {
  expect(formPairs(encoded)).toEqual(pairs);
});

test.each(['a=%00', 'a=x%00', '%00=x', 'a=%ff', 'a=%ED%A0%80', 'a=1&b=x%ED%B0%80y', 'a=%E4', '%C3=1'])(
  '%p is malformed',
  (encoded) => {
    expect(formPairs(encoded)).toBeUndefined();
  },
);

test('an exempt field may contain any text, and no other field', () => {
  expect(formPairs('a=%00&b=1', 'a')).toEqual([
    ['a', '\0'],
    ['b', '1'],
  ]);
  expect(formPairs('a=1&b=%00', 'a')).toBeUndefined();
});

test.each([
  ['?a=1&b=%00', 'b'],
  ['a=%ff&b=%00', 'a'],
  ['a=1&b=x%ED%B0%80y&c=%00', 'b'],
  ['a=1&%C3=1', '\ufffd'],
  ['a=1', undefined],
])('the first broken pair of %p is named %p', (encoded, name) => {
  expect(brokenNameIn(encoded)).toBe(name as never);
});
