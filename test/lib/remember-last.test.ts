import { expect, test } from 'bun:test';
import { rememberLast } from '../../src/lib/remember-last.ts';

test('the last result is returned until its input changes deeply', () => {
  let made = 0;
  const make = rememberLast((input: { readonly list: readonly string[] }) => ({ input, made: ++made }));
  const first = make({ list: ['a'] });
  expect(make({ list: ['a'] })).toBe(first);
  expect(make({ list: ['b'] }).made).toBe(2);
  expect(make({ list: ['a'] }).made).toBe(3);
});
