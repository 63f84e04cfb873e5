import { expect, test } from 'bun:test';
import { readAudit } from '../../src/storage/audit.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { connect, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { engineOf } from '../support/engines.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const engine = engineOf(import.meta);

test('entries of an older database are read as they were written, as far as they tell', async () => {
  const path = databasePath(temporaryDirectory());
  const before = MIGRATIONS.findIndex((sql) => sql.includes('audit_log_subject'));
  prepareDatabase(path, MIGRATIONS.slice(0, before));
  const { $client } = connect(path);
  const insert = $client.prepare(
    'insert into audit_log (at, actor, action, license_id, detail) values (?, ?, ?, ?, ?)',
  );
  const change = { before: { plan: 'pro' }, after: { plan: 'free' }, reason: 'why\n' };
  const older = [
    ['cli', 'license.suspend', 7, { hold: 'operator' }],
    ['cli', 'license.change', 7, change],
    ['service', 'payment.dismiss', null, { kind: 'dispute', subjectId: 'dp_1' }],
    ['cli', 'installation.new-key', null, {}],
  ] as const;
  for (const [index, [actor, action, licenseId, detail]] of older.entries())
    insert.run(index, actor, action, licenseId, JSON.stringify(detail));
  $client.close();

  prepareDatabase(path);
  const db = connect(path);
  const read = (await readAudit(db, { limit: 9 })).reverse();
  await disconnect(db);
  const kept = { reason: null, before: null, after: null, requestId: null };
  expect(read).toEqual([
    {
      ...kept,
      id: 1,
      at: 0,
      actor: 'cli',
      action: 'license.suspend',
      subject: 'lic_7',
      after: { hold: 'operator' },
    },
    { ...kept, id: 2, at: 1, actor: 'cli', action: 'license.change', subject: 'lic_7', ...change },
    {
      ...kept,
      ...{ id: 3, at: 2, actor: 'service', action: 'payment.dismiss', subject: null },
      after: { kind: 'dispute', subjectId: 'dp_1' },
    },
    { ...kept, id: 4, at: 3, actor: 'cli', action: 'installation.new-key', subject: 'installation' },
  ]);
});

test('a license is also found by the entries about a range of licenses that it is in', async () => {
  const db = await engine.open();
  const insert = prepare(
    db,
    "insert into audit_log (at, actor, action, subject) values (1, 'system', 'a', ?)",
  );
  for (const subject of ['lic_9..lic_11', 'lic_10', 'lic_1..lic_2', 'evidence..x', null])
    await insert.run(subject);
  const about = async (subject: string) =>
    (await readAudit(db, { subject, limit: 9 })).map((entry) => entry.subject);
  expect(await about('lic_10')).toEqual(['lic_10', 'lic_9..lic_11']);
  expect(await about('lic_2')).toEqual(['lic_1..lic_2']);
  expect(await about('lic_12')).toEqual([]);
  expect(await about('evidence..x')).toEqual(['evidence..x']);
  await disconnect(db);
});
