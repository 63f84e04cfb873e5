import { expect, test } from 'bun:test';
import { disconnect } from '../../../src/storage/engine/database.ts';
import { prepare } from '../../../src/storage/engine/statement.ts';
import { readAudit } from '../../../src/storage/operators/audit.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

test('the audit entries of a license include those about a range of licenses that contains it', async () => {
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
