import { expect, test } from 'bun:test';
import { filtersOf } from '../../src/pages/query.ts';

test('a filter without possible matches counts as absent', () => {
  const request = new Request('http://x.test/?a=%20one%20&b=%00&c=x%00&d=%20&e=1&f=2');
  expect(filtersOf(request, ['a', 'b', 'c', 'd', 'e'])).toEqual({ a: 'one', e: '1' });
});
