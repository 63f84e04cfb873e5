import { afterEach, beforeEach, expect, test } from 'bun:test';
import { newAdminToken } from '../../src/domain/admin/admin-token.ts';
import { generateLicenseKey } from '../../src/domain/license/license-key.ts';
import { eachAuditEntry, exportAudit, listAudit } from '../../src/operator/list-audit.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
beforeEach(async () => {
  db = await engine.open();
});
afterEach(() => disconnect(db));

/** Entries 1 to `count`, each at the moment of its id; one in 50,001 is about `rare`. */
const fill = (count: number) =>
  execute(
    db,
    `with recursive ids(id) as (select 1 union all select id + 1 from ids where id < ${count})
    insert into audit_log (at, actor, action, subject)
      select id, 'cli:alice', 'test.fill', case when id % 50001 = 1 then 'rare' else 'common' end
      from ids order by id`,
  );
const idsOf = (entries: readonly { id: number }[]) => entries.map(({ id }) => id);

test('every entry is listed once, latest first, without entries added meanwhile', async () => {
  await fill(4_500);
  await execute(db, 'delete from audit_log where id % 3 = 0 or id < 100');
  const ids: number[] = [];
  for await (const some of eachAuditEntry(db, {})) {
    ids.push(...idsOf(some));
    await execute(db, "insert into audit_log (at, actor, action) values (9, 'system', 'test.late')");
  }
  const expected = Array.from({ length: 4_500 }, (_, index) => 4_500 - index);
  expect(ids).toEqual(expected.filter((id) => id % 3 !== 0 && id >= 100));
});

test('pages are full and continue to the end', async () => {
  await fill(4_500);
  const first = await listAudit(db, { actor: 'cli' }, { limit: 50 });
  expect([first.entries.length, first.next]).toEqual([50, 4_451]);
  const last = await listAudit(db, {}, { before: 51, limit: 50 });
  expect([idsOf(last.entries).length, last.next]).toEqual([50, null]);
  expect(await listAudit(db, {}, { before: 1, limit: 50 })).toEqual({ entries: [], next: null });
});

test('a page reads at most 50,000 entries and returns where to continue', async () => {
  await fill(100_003);
  const first = await listAudit(db, { subject: 'rare' }, { limit: 50 });
  expect([idsOf(first.entries), first.next]).toEqual([[100_003], 50_004]);
  const next = await listAudit(db, { subject: 'rare' }, { before: 50_004, limit: 50 });
  expect([idsOf(next.entries), next.next]).toEqual([[50_002], 4]);
  const last = await listAudit(db, { subject: 'rare' }, { before: 4, limit: 50 });
  expect([idsOf(last.entries), last.next]).toEqual([[1], null]);
});

test('the search ends when a whole step is older than the filter, not at one old entry', async () => {
  await fill(9_000);
  await execute(db, 'update audit_log set at = 1 where id = 8999');
  const { entries, next } = await listAudit(db, { since: 8_990 }, { limit: 50 });
  expect([idsOf(entries), next]).toEqual([
    [9_000, ...[8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => 8_990 + n)],
    null,
  ]);
});

test('an export is audited with its filters, and a license key as a filter is refused', () => {
  const act = { actor: 'cli:alice', now: 1 } as const;
  const filters = { format: 'csv', subject: 'lic_1', since: '1970-01-01T00:00:00.000Z' };
  expect(exportAudit({ subject: 'lic_1', since: 0 }, act)).toMatchObject({
    jobs: [{ input: { action: 'audit.export', after: filters } }],
  });
  for (const key of [generateLicenseKey('live'), newAdminToken().token])
    for (const filter of [{ subject: key }, { actor: key }])
      expect(exportAudit(filter, act)).toEqual({ refused: expect.stringContaining('this is a key') });
});
