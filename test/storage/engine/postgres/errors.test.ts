import { expect, test } from 'bun:test';
import { DatabaseError } from 'pg';
import { isConnectionLost } from '../../../../src/storage/engine/postgres/errors.ts';

/** An error as PostgreSQL tells it. */
const told = (code: string) => Object.assign(new DatabaseError('no', 2, 'error'), { code });

// EPIPE looks like an SQLSTATE.
test.each([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ERR_STREAM_DESTROYED',
])('a socket that failed with %s is a lost connection, also where it is the cause', (code) => {
  const error = Object.assign(new Error('write'), { code });
  expect([error, new Error('no', { cause: error })].map(isConnectionLost)).toEqual([true, true]);
});

test.each(['57P01', '57P03', '53300', '25006', '40001', '08006'])(
  'what the server says of itself by %s is a lost connection',
  (code) => {
    expect([told(code), new Error('no', { cause: told(code) })].map(isConnectionLost)).toEqual([true, true]);
  },
);

test.each(['23505', '42P01', '22021', 'P0001', 'XX000'])(
  'what it says of a statement by %s is none',
  (code) => {
    expect([told(code), new Error('no', { cause: told(code) })].map(isConnectionLost)).toEqual([
      false,
      false,
    ]);
  },
);

test('a mistake in our own code is none', () => {
  for (const error of [
    new TypeError('x'),
    new RangeError('x'),
    new Error('x', { cause: new TypeError('y') }),
  ])
    expect(isConnectionLost(error)).toBe(false);
});
