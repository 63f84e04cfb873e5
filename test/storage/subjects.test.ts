import { expect, test } from 'bun:test';
import { table } from '../../src/storage/engine/table.ts';
import { SUBJECTS, tablesOf } from '../../src/storage/subjects.ts';

const another = (name: string) => ({ tables: { another: table(name, ({ id }) => ({ id: id() })) } });

test('a subject with a table that another one has is refused, with both places', () => {
  expect(tablesOf({ ...SUBJECTS, more: another('more') })).toHaveLength(tablesOf(SUBJECTS).length + 1);
  expect(() => tablesOf({ ...SUBJECTS, more: another('license_domains') })).toThrow(
    'two tables are named "license_domains": in licenses.licenseDomains and in more.another',
  );
});
