import { expect, test } from 'bun:test';
import { DatabaseError } from 'pg';
import { isConnectionLost } from '../../../../src/storage/engine/postgres/errors.ts';

/** An error in the form that PostgreSQL returns. */
const errorOf = (code: string) => Object.assign(new DatabaseError('no', 2, 'error'), { code });

// EPIPE looks like an SQLSTATE.
test.each([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'ERR_STREAM_DESTROYED',
])('a socket that failed with %s is a lost connection, also as the cause of another error', (code) => {
  const error = Object.assign(new Error('write'), { code });
  expect([error, new Error('no', { cause: error })].map(isConnectionLost)).toEqual([true, true]);
});

test.each(['57P01', '57P03', '53300', '25006', '40001', '08006'])(
  "the server's status %s is a lost connection",
  (code) => {
    expect([errorOf(code), new Error('no', { cause: errorOf(code) })].map(isConnectionLost)).toEqual([
      true,
      true,
    ]);
  },
);

test.each(['23505', '42P01', '22021', 'P0001', 'XX000'])(
  'the statement error %s is not a lost connection',
  (code) => {
    expect([errorOf(code), new Error('no', { cause: errorOf(code) })].map(isConnectionLost)).toEqual([
      false,
      false,
    ]);
  },
);

test("a mistake in Redoubt's code is not a lost connection", () => {
  for (const error of [
    new TypeError('x'),
    new RangeError('x'),
    new Error('x', { cause: new TypeError('y') }),
  ])
    expect(isConnectionLost(error)).toBe(false);
});
