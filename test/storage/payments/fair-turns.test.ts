import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Database, disconnect } from '../../../src/storage/engine/database.ts';
import { execute } from '../../../src/storage/engine/statement.ts';
import { readSubscriptions } from '../../../src/storage/payments/subscriptions.ts';
import { readTrials } from '../../../src/storage/payments/trials.ts';
import { engineOf } from '../../support/engines.ts';

const engine = engineOf(import.meta);

const WAITING = 150;
const NOW = 10_000_000;

let db: Database;
beforeAll(async () => {
  db = await engine.open();
  const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${WAITING})`;
  await execute(
    db,
    `insert into licenses
      (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds, created_at, expires_at)
      ${numbers} select n, n, '', '', 'paid', 'test', 'pro', '[]', '[]', '[]', 0, ${NOW - 1} from numbers;
    insert into trials (id, license_id, domain, install_hash, email_hash, email_slot, reserved_until)
      ${numbers} select n, n, n, n, n, 1, n from numbers;
    insert into subscriptions (id, license_id, customer_id, status, created_at)
      ${numbers} select n, n, n, 'paid', 0 from numbers`,
  );
});
afterAll(() => disconnect(db));

test.each([
  ['trial with an expired reservation', () => readTrials(db).listOverdue(NOW)],
  ['subscription with an ended period', () => readSubscriptions(db).listLapsed(NOW)],
])('every %s gets its turn, also when none of the earlier ones can be completed', async (_, list) => {
  const met = new Set<unknown>();
  for (let turn = 0; turn < 60; turn++) {
    const some = await list();
    expect(some.length).toBeLessThan(WAITING);
    for (const each of some) met.add(typeof each === 'string' ? each : each.id);
  }
  expect(met.size).toBe(WAITING);
});
