import { expect, test } from 'bun:test';
import { refuseDoubles } from '../../src/lib/refuse-doubles.ts';

test('two parts of one name are refused, with both places', () => {
  const parts = [
    { name: 'a', place: 'here' },
    { name: 'b', place: 'here' },
  ];
  expect(() => refuseDoubles('route', parts)).not.toThrow();
  expect(() => refuseDoubles('route', [...parts, { name: 'a', place: 'there' }])).toThrow(
    'two routes are named "a": in here and in there',
  );
});
