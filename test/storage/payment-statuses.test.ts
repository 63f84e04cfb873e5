import { expect, test } from 'bun:test';
import { disputeStatus, subscriptionStatus } from '../../src/outside/stripe/statuses.ts';
import { isDisputed } from '../../src/storage/disputes.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { disputes, subscriptions } from '../../src/storage/engine/schema.ts';
import { connect, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { isSubscribed } from '../../src/storage/subscribed.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const BEFORE = MIGRATIONS.findIndex((sql) => sql.includes("WHEN 'incomplete_expired'"));
const SUBSCRIPTIONS = [
  ...['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', 'incomplete_expired'],
  'unheard_of',
];
const DISPUTES = [
  ...['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review', 'won', 'lost'],
  ...['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented', 'unheard_of'],
];

test('a migrated database says of each subscription and dispute what Stripe’s word for it says today', async () => {
  const path = databasePath(temporaryDirectory());
  prepareDatabase(path, MIGRATIONS.slice(0, BEFORE));
  const older = connect(path).$client;
  const license = older.prepare(
    `insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied,
      holds, created_at) values (?, ?, '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
  );
  const subscription = older.prepare(
    'insert into subscriptions (id, license_id, customer_id, status, created_at) values (?, ?, ?, ?, 0)',
  );
  for (const [id, status] of SUBSCRIPTIONS.entries()) {
    license.run(id, `${id}`);
    subscription.run(status, id, `${id}`, status);
  }
  const dispute = older.prepare('insert into disputes (id, customer_id, status) values (?, ?, ?)');
  for (const status of DISPUTES) dispute.run(status, status, status);
  older.close();

  prepareDatabase(path);
  const db = connect(path);
  for (const { id, licenseId, status } of await db.select().from(subscriptions).all()) {
    expect([id, status]).toEqual([id, subscriptionStatus(id)]);
    expect([id, await isSubscribed(db, licenseId)]).toEqual([
      id,
      !['canceled', 'incomplete_expired'].includes(id),
    ]);
  }
  const holding: string[] = [];
  for (const { id, status } of await db.select().from(disputes).all()) {
    expect([id, status]).toEqual([id, disputeStatus(id)]);
    if (await isDisputed(db, id)) holding.push(id);
  }
  expect(holding).toEqual(DISPUTES.filter((id) => !['won', 'warning_closed', 'prevented'].includes(id)));
  db.$client.close();
});
