import { expect, test } from 'bun:test';
import { DatabaseError } from 'pg';
import { refusalIn, wrongIn } from '../../../src/storage/engine/postgres/server-trouble.ts';

const errorOf = (code: string, message = 'of the server') =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code });

test.each([
  ['53100', 'disk of the database server is full'],
  ['53300', 'accepts no more connections'],
  ['57014', 'statement_timeout'],
  ['57P03', 'starting, stopping or recovering'],
  ['25006', 'read-only'],
  ['0A000', 'standby'],
])('refusal %s of a server is explained by what an operator can change, also as a cause', (code, words) => {
  expect(refusalIn(errorOf(code))).toContain(words);
  expect(refusalIn(new Error('away', { cause: errorOf(code) }))).toContain(words);
  expect(wrongIn(errorOf(code))).toBeUndefined();
});

test('a missing right is named, and no other text of the server is repeated', () => {
  expect(refusalIn(errorOf('42501', 'permission denied for table licenses'))).toContain('table licenses');
  for (const said of ['permission denied for table "x; y"', 'duplicate key value (key)=(secret)', ''])
    expect(refusalIn(errorOf('23505', said))).toBeUndefined();
  expect(refusalIn(new Error('ECONNREFUSED'))).toBeUndefined();
});
