import { expect, test } from 'bun:test';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { MIGRATIONS } from '../../src/storage/engine/migrations.ts';
import { connect, prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { readLicensePages } from '../../src/storage/license-pages.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const BEFORE = MIGRATIONS.findIndex((sql) => sql.includes('operator_terms'));

/** A license of an older database, what was done to it, and its subscriptions from the oldest to the newest. */
interface Older {
  readonly license?: Readonly<Record<string, string | number | null>>;
  readonly acts?: readonly (readonly [actor: string, action: string, detail: object])[];
  readonly subscriptions?: readonly string[];
}

async function migrated(older: readonly Older[]) {
  const path = databasePath(temporaryDirectory());
  prepareDatabase(path, MIGRATIONS.slice(0, BEFORE));
  const { $client } = connect(path);
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) =>
    $client
      .prepare(`insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map(() => '?')})`)
      .run(...Object.values(row));
  for (const [index, { license, acts = [], subscriptions = [] }] of older.entries()) {
    const id = index + 1;
    const key = { key_hash: `${id}`, key_prefix: '', key_last4: '' };
    const terms = {
      kind: 'paid',
      environment: 'live',
      plan: 'pro',
      modules_allowed: '[]',
      modules_denied: '[]',
    };
    insert('licenses', { id, ...key, ...terms, holds: '[]', created_at: 0, ...license });
    for (const [actor, action, detail] of acts) {
      insert('audit_log', { at: 0, actor, action, license_id: id, detail: JSON.stringify(detail) });
    }
    for (const [age, modules] of subscriptions.entries()) {
      const row = { customer_id: 'cus', status: 'active', created_at: age, modules };
      insert('subscriptions', { id: `sub_${id}_${age}`, license_id: id, ...row });
    }
  }
  $client.close();
  prepareDatabase(path);
  const db = connect(path);
  const licenses = await readLicensePages(db).ofIds(older.map((_, index) => index + 1));
  db.$client.close();
  return licenses;
}

const issued = (plan: string) => ['cli', 'license.issue', { plan }] as const;
const extended = (expires_at: string) => ['cli', 'license.extend', { expires_at }] as const;

test('licenses of an older database are the operator’s when he issued or extended them', async () => {
  const licenses = await migrated([
    { acts: [issued('pro')] },
    { license: { kind: 'trial' }, acts: [['service', 'license.issue', { plan: 'pro' }]] },
    {
      license: { kind: 'trial' },
      acts: [['service', 'license.issue', { plan: 'pro' }], extended('2027-01-01T00:00:00.000Z')],
    },
    { license: { holds: '["payment","operator"]' }, acts: [issued('pro')] },
  ]);
  expect(licenses.map(({ operatorTerms }) => operatorTerms)).toEqual([true, false, true, true]);
  for (const each of licenses)
    expect([each.granted, each.subscriptionId, each.paymentHolds]).toEqual([null, null, []]);
  expect(licenses[3]?.holds).toEqual(['payment', 'operator']);
});

test('those that were paid for since keep beside it what the audit log knows of a grant, and holds by who set them', async () => {
  const until = Date.UTC(2027, 0, 1) + 5;
  const licenses = await migrated([
    {
      license: {
        plan: 'starter',
        sites_override: 7,
        modules_allowed: '["decoys","pc_guard"]',
        expires_at: 1,
      },
      acts: [
        issued('enterprise'),
        extended('2026-01-01T00:00:00.000Z'),
        extended('2027-01-01T00:00:00.005Z'),
      ],
      subscriptions: ['["pc_guard"]'],
    },
    { acts: [issued('enterprise')], subscriptions: ['[]', '[]'] },
    {
      license: { plan: 'starter', holds: '["payment","dispute","operator"]' },
      acts: [['service', 'license.issue', { plan: 'starter' }], extended('2027-01-01T00:00:00.005Z')],
      subscriptions: ['[]'],
    },
  ]);
  const grant = { kind: 'paid', sitesOverride: null, modulesAllowed: [], expiresAt: until } as const;
  expect(licenses.map(({ granted }) => granted)).toEqual([
    { ...grant, plan: 'enterprise', sitesOverride: 7, modulesAllowed: ['decoys'] },
    null,
    { ...grant, plan: 'starter' },
  ]);
  expect(licenses.map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1_0', 'sub_2_1', 'sub_3_0']);
  expect(licenses.map(({ operatorTerms }) => operatorTerms)).toEqual([false, false, false]);
  expect(licenses.map(({ holds, paymentHolds }) => [holds, paymentHolds])).toEqual([
    [[], []],
    [[], []],
    [['operator'], ['payment', 'dispute']],
  ]);
});
