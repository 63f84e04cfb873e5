import { expect, test } from 'bun:test';
import { Seats } from '../../src/lib/seats.ts';

test('an owner has one seat at a time, and all together have at most the total', () => {
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

test('an owner with several seats never takes those of others, and frees each once', () => {
  const seats = new Seats<string>(4, 3);
  const held = [1, 2, 3].map(() => seats.take('a'));
  expect([held.every(Boolean), seats.take('a')]).toEqual([true, undefined]);
  expect([seats.take('b') === undefined, seats.take('c')]).toEqual([false, undefined]);
  held[0]?.();
  held[0]?.();
  expect([seats.take('a') === undefined, seats.take('a')]).toEqual([false, undefined]);
});
