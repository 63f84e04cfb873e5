import { expect, test } from 'bun:test';
import { disputeStatus, subscriptionStatus } from '../../../src/outside/stripe/statuses.ts';
import { connect } from '../../../src/storage/engine/sqlite/database.ts';
import { disputeCauses } from '../../../src/storage/payments/disputes.ts';
import { isSubscribed } from '../../../src/storage/payments/subscribed.ts';
import { newDatabase } from '../../support/database.ts';

const SUBSCRIPTIONS = [
  ...['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete', 'incomplete_expired'],
  'unheard_of',
];
const DISPUTES = [
  ...['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review', 'won', 'lost'],
  ...['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented', 'unheard_of'],
];

test('a subscription counts until it has ended or was abandoned, and a dispute until it is settled', async () => {
  const db = connect(newDatabase());
  const license = db.$client.prepare(
    `insert into licenses (id, key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied,
      holds, created_at) values (?, ?, '', '', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
  );
  const subscription = db.$client.prepare(
    'insert into subscriptions (id, license_id, customer_id, status, created_at) values (?, ?, ?, ?, 0)',
  );
  for (const [id, status] of SUBSCRIPTIONS.entries()) {
    license.run(id, `${id}`);
    subscription.run(status, id, `${id}`, subscriptionStatus(status));
    expect([status, await isSubscribed(db, id)]).toEqual([
      status,
      !['canceled', 'incomplete_expired'].includes(status),
    ]);
  }
  const dispute = db.$client.prepare('insert into disputes (id, customer_id, status) values (?, ?, ?)');
  const holding: string[] = [];
  for (const status of DISPUTES) {
    dispute.run(status, status, disputeStatus(status));
    if ((await disputeCauses(db, status)).length > 0) holding.push(status);
  }
  expect(holding).toEqual(DISPUTES.filter((id) => !['won', 'warning_closed', 'prevented'].includes(id)));
  db.$client.close();
});
