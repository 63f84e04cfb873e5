import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';
import type { CustomerNotes } from '../license/customer.ts';
import { canonicalEmail } from '../license/email.ts';
import { isPaidLive, type LicenseFacts, licenseState } from '../license/license.ts';

/** When the reports of several customers count, and how many threats are published (docs/feed.md, "Which reports count"). */
export interface CorroborationRule {
  /** Distinct customers that must have reported a fingerprint, 1 or more. */
  readonly minCorroboration: number;
  /** How far back a report counts, in days. */
  readonly windowDays: number;
  /** From how long after its first telemetry on a license vouches, in hours; 0 = always, also without any. */
  readonly minAgeHours: number;
  /** Entries that are published at most, 1 or more. */
  readonly entriesMax: number;
}

/** The times of reports of a license's sites, in milliseconds since the Unix epoch. */
export interface Contact {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/** One of its sites reports more often than that, even with long heartbeat intervals. */
const SILENT_AFTER_MS = DAY_MS;

/**
 * Whether a license's reports count now. It must be paid, live and active, in contact since long enough ago, and not silent for
 * a day: a just bought license, or one without an active site, proves nothing.
 *
 * @param contact undefined when none of its sites has ever reported
 */
export function mayVouch(
  license: LicenseFacts,
  contact: Contact | undefined,
  { minAgeHours }: Pick<CorroborationRule, 'minAgeHours'>,
  nowMs: number,
): boolean {
  if (!isPaidLive(license) || licenseState(license, nowMs) !== 'active') return false;
  if (minAgeHours === 0) return true;
  if (contact === undefined || nowMs - contact.lastSeenAt >= SILENT_AFTER_MS) return false;
  return nowMs - contact.firstSeenAt >= minAgeHours * HOUR_MS;
}

/** Who paid for a license, or left a mailbox and a card for its trial. */
export interface Payer {
  /** What the payment processor calls them. */
  readonly customerId: string | null;
  readonly emailHash: string | null;
}

/** The data that identifies a license's owner. */
export interface Ownership extends Pick<CustomerNotes, 'customer' | 'email'> {
  readonly payers: readonly Payer[];
}

/** The marks of a license's owner: two licenses with a mark in common are one customer's. */
export function ownerMarks(
  { customer, email, payers }: Ownership,
  emailHash: (canonicalEmail: string) => string,
): string[] {
  const mark = (kind: string, value: string | null) => (value === null ? [] : [`${kind} ${value}`]);
  return [
    ...mark('name', customer === null ? null : folded(customer)),
    ...mark('mailbox', email === null ? null : emailHash(canonicalEmail(email) ?? email)),
    ...payers.flatMap((payer) => [...mark('payer', payer.customerId), ...mark('mailbox', payer.emailHash)]),
  ];
}

/** One spelling for what an operator means as one name. */
const folded = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/**
 * Licenses by customer: those with a mark in common belong together, and so do those that others connect. One
 * without any mark is a customer of its own. (Disjoint sets with path halving.)
 */
export class Customers {
  /** Each license's parent within its set; the root is its own. */
  readonly #parents = new Map<number, number>();
  /** A license that has a mark. */
  readonly #bearers = new Map<string, number>();

  /** Adds a license once, with the marks of its owner. */
  add(licenseId: number, marks: readonly string[]): void {
    this.#parents.set(licenseId, licenseId);
    for (const mark of marks) {
      const bearer = this.#bearers.get(mark);
      if (bearer === undefined) this.#bearers.set(mark, licenseId);
      else this.#parents.set(this.of(licenseId), this.of(bearer));
    }
  }

  /** The customer of a license that was added: one number for all of them, until another is added. */
  of(licenseId: number): number {
    let id = licenseId;
    for (let parent = this.#parents.get(id) ?? id; parent !== id; parent = this.#parents.get(id) ?? id) {
      const grandparent = this.#parents.get(parent) ?? parent;
      this.#parents.set(id, grandparent);
      id = grandparent;
    }
    return id;
  }
}
