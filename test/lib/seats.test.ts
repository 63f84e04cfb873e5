import { expect, test } from 'bun:test';
import { Seats } from '../../src/lib/seats.ts';

test('an owner has one seat at a time, and all together no more than there are', () => {
  const seats = new Seats<string>(2);
  const leave = seats.take('a');
  expect(leave).toBeDefined();
  expect(seats.take('a')).toBeUndefined();
  expect(seats.take('b')).toBeDefined();
  expect(seats.take('c')).toBeUndefined();
  leave?.();
  expect(seats.take('b')).toBeUndefined();
  expect(seats.take('c')).toBeDefined();
});
