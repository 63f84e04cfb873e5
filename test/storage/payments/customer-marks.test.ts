import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { readCustomerMarks } from '../../../src/storage/payments/customer-marks.ts';
import { addTwoTenants } from '../../support/database.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

let db: Database;
beforeEach(async () => {
  db = await engine.open();
  await addTwoTenants(db);
});
afterEach(() => disconnect(db));

test('licenses without customer data are omitted, and a payer is that of the license’s subscription', async () => {
  const read = readCustomerMarks(db);
  expect(await read(0)).toEqual([]);
  await execute(
    db,
    `insert into subscriptions (id, license_id, customer_id, status, created_at)
      values ('sub_1', 2, 'cus_1', 'active', 1), ('sub_0', 2, 'cus_0', 'canceled', 1)`,
  );
  await execute(db, "update licenses set subscription_id = 'sub_1', email = 'a@example.com' where id = 2");
  await execute(db, "update licenses set customer = 'Ann' where id = 1");
  const all = [
    { id: 1, customer: 'Ann', email: null, payer: null },
    { id: 2, customer: null, email: 'a@example.com', payer: 'cus_1' },
  ];
  expect(await read(0)).toEqual(all);
  expect(await read(1)).toEqual(all.slice(1));
  expect(await read(2)).toEqual([]);
});
