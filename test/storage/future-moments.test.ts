import { expect, test } from 'bun:test';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepareJobs } from '../../src/storage/engine/jobs.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { readFutureMoments } from '../../src/storage/future-moments.ts';
import { addTwoTenants } from '../support/database.ts';
import { engineOf } from '../support/engines.ts';

const engine = engineOf(import.meta);

test('rows later than the clock are found, set to now, and no others', async () => {
  const db = await engine.open();
  await addTwoTenants(db);
  await execute(
    db,
    'update licenses set created_at = 5000 where id = 2; update sites set last_seen_at = 7000',
  );
  const found = [
    { column: 'licenses.created_at', rows: 1, firstId: 2, lastId: 2, newest: 5000 },
    { column: 'sites.last_seen_at', rows: 2, firstId: 1, lastId: 2, newest: 7000 },
  ];
  expect(await readFutureMoments(db, 1000)).toEqual(found);
  expect(await readFutureMoments(db, 7000)).toEqual([]);
  await prepareJobs(db).acceptClock({ now: 1000 });
  expect(await readFutureMoments(db, 1000)).toEqual([]);
  expect(await readFutureMoments(db, 999)).toEqual(found.map((each) => ({ ...each, newest: 1000 })));
  await disconnect(db);
});
