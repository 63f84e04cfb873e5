import { expect, test } from 'bun:test';
import { fromDrizzle, translate } from '../../../../src/storage/engine/postgres/translate.ts';

test.each<[sql: string, text: string, names: string[] | undefined]>([
  ['select a from b where c = ? and d = ?', 'select a from b where c = $1 and d = $2', undefined],
  ['select :one, :two, :one from x', 'select $1, $2, $1 from x', ['one', 'two']],
  ['select license_id as licenseId from x', 'select license_id as "licenseId" from x', undefined],
  ['select "licenseId", \'a ? :b itIs\' from x', 'select "licenseId", \'a ? :b itIs\' from x', undefined],
  ["select '''', ?::bigint[] from x", "select '''', $1::bigint[] from x", undefined],
  ["select a ->> 'b', :c::text", "select a ->> 'b', $1::text", ['c']],
  ['SAVEPOINT job', 'SAVEPOINT job', undefined],
])('%p', (sql, text, names) => {
  expect(translate(sql)).toEqual({ text, names });
});

test("drizzle's SQL for SQLite leaves row numbers to the database, and conflicts name columns only", () => {
  expect(fromDrizzle('insert into "a" ("id", "b") values (null, ?), (null, ?)')).toBe(
    'insert into "a" ("id", "b") values (default, ?), (default, ?)',
  );
  expect(
    fromDrizzle(
      'insert into "a" ("b", "c") values (?, null) on conflict ("a"."b", "a"."c") do update set "b" = "a"."b"',
    ),
  ).toBe('insert into "a" ("b", "c") values (?, null) on conflict ("b", "c") do update set "b" = "a"."b"');
  expect(fromDrizzle('update "a" set "b" = coalesce(null, ?)')).toBe(
    'update "a" set "b" = coalesce(null, ?)',
  );
});
