import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { disconnect } from '../../../../src/storage/engine/database.ts';
import { arrayOf } from '../../../../src/storage/engine/postgres/array.ts';
import { prepare } from '../../../../src/storage/engine/statement.ts';
import { newPostgresDatabase, openPostgres } from '../../../support/postgres.ts';

const SIGNS = ['"', '\\', '{', '}', ',', ' ', '\n', '\t', '\x01', '\x7f', '\u2028', 'é', '😀', 'a', 'NULL'];

test('PostgreSQL reads every text of a list unchanged, and null as null', async () => {
  const db = openPostgres(await newPostgresDatabase());
  const list = prepare<{ text: string | null }>(db, 'select unnest(?::text[]) as text');
  const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 6 }).map((signs) => signs.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (texts) => {
      expect((await list.all(arrayOf(texts))).map((row) => row.text)).toEqual(texts);
    }),
  );
  await disconnect(db);
});
