import { eq, gt, max, min, sql } from 'drizzle-orm';
import type { DerivedIdentities } from '../../domain/identity.ts';
import { isPaidLive } from '../../domain/license/license.ts';
import {
  type Contact,
  type CorroborationRule,
  Customers,
  mayVouch,
  ownerMarks,
  type Payer,
} from '../../domain/threat/corroboration.ts';
import { DAY_MS } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { licenses } from '../licenses/tables.ts';
import { subscriptions, trials } from '../payments/tables.ts';
import { sites } from '../sites/tables.ts';
import { threatReports } from './tables.ts';

/** A license whose reports count, and its customer. */
export interface Voucher {
  readonly licenseId: number;
  /** A number that all licenses of one customer share. */
  readonly customer: number;
}

/** Licenses read together: reading all at once would take much more memory. */
const LICENSES_AT_ONCE = 1_000;

/**
 * The licenses that reported within the window and count now. Reads only licenses that reported, also to find which belong
 * together; a license that no longer counts still connects others, so that suspending one never splits a customer. Trials and
 * test licenses, which cost nothing, do not connect licenses.
 */
export async function readVouchers(
  db: Database,
  rule: CorroborationRule,
  identities: Pick<DerivedIdentities, 'emailHash'>,
  now: number,
): Promise<Iterable<Voucher>> {
  const customers = new Customers();
  const vouching: number[] = [];
  const reporters = (
    await db
      .selectDistinct({ id: threatReports.licenseId })
      .from(threatReports)
      .where(gt(threatReports.lastReportedAt, now - rule.windowDays * DAY_MS))
      .all()
  ).map(({ id }) => id);
  while (reporters.length > 0) {
    const some = reporters.splice(-LICENSES_AT_ONCE);
    const contacts = await contactsOf(db, some);
    const payers = await payersOf(db, some);
    for (const { license, customerId, emailHash } of await factsOf(db, some)) {
      if (!isPaidLive(license)) continue;
      const ofTrial = { customerId, emailHash };
      const ownership = { ...license, payers: [ofTrial, ...(payers.get(license.id) ?? [])] };
      customers.add(license.id, ownerMarks(ownership, identities.emailHash));
      if (mayVouch(license, contacts.get(license.id), rule, now)) vouching.push(license.id);
    }
  }
  return vouching.values().map((licenseId) => ({ licenseId, customer: customers.of(licenseId) }));
}

const factsOf = (db: Database, some: readonly number[]) =>
  db
    .select({
      license: licenses,
      customerId: trials.customerId,
      emailHash: trials.emailHash,
    })
    .from(licenses)
    .leftJoin(trials, eq(trials.licenseId, licenses.id))
    .where(db.sqlDialect.isAmong(licenses.id, some))
    .all();

const contactsOf = async (db: Database, some: readonly number[]): Promise<ReadonlyMap<number, Contact>> =>
  new Map(
    (
      await db
        .select({
          licenseId: sites.licenseId,
          firstSeenAt: sql<number>`${min(sites.firstSeenAt)}`,
          lastSeenAt: sql<number>`${max(sites.lastSeenAt)}`,
        })
        .from(sites)
        .where(db.sqlDialect.isAmong(sites.licenseId, some))
        .groupBy(sites.licenseId)
        .all()
    ).map(({ licenseId, ...contact }) => [licenseId, contact]),
  );

async function payersOf(
  db: Database,
  some: readonly number[],
): Promise<ReadonlyMap<number, readonly Payer[]>> {
  const payers = new Map<number, Payer[]>();
  const paid = await db
    .select({
      licenseId: subscriptions.licenseId,
      customerId: subscriptions.customerId,
      emailHash: subscriptions.payerEmailHash,
    })
    .from(subscriptions)
    .where(db.sqlDialect.isAmong(subscriptions.licenseId, some))
    .all();
  for (const { licenseId, ...payer } of paid) {
    payers.set(licenseId, [...(payers.get(licenseId) ?? []), payer]);
  }
  return payers;
}
