import {
  LICENSE_STATES,
  type LicenseFacts,
  type LicenseState,
  licenseState,
} from '../domain/license/license.ts';
import type { Database } from './engine/database.ts';
import { prepare } from './engine/statement.ts';

/** What most licenses are: nothing but their own kind and end decides their state. */
const PLAIN =
  "granted is null and holds = '[]' and payment_holds = '[]' and payment_hold_from is null and revoked_at is null and pending_until is null";

interface Alike {
  readonly licenses: number;
  /** JSON of any of them: they differ in nothing that their state depends on at this moment. */
  readonly facts: string;
}

/** Counts all licenses by their states at a moment. Those that differ in no fact that counts are judged once. */
export function readLicenseCounts(db: Database): (now: number) => Promise<Record<LicenseState, number>> {
  const facts = `json_object('kind', kind, 'expiresAt', expires_at, 'granted', json(granted), 'holds', json(holds),
    'paymentHolds', json(payment_holds), 'paymentHoldFrom', payment_hold_from, 'revokedAt', revoked_at,
    'pendingUntil', pending_until) as facts`;
  // Counting what is plain without sorting takes a third of the time.
  const alike = prepare<Alike>(
    db,
    `
    select count(*) as licenses, ${facts} from licenses where ${PLAIN} and kind = 'paid' and coalesce(expires_at > :now, true)
    union all
    select count(*) as licenses, ${facts} from licenses
      where not (${PLAIN} and kind = 'paid' and coalesce(expires_at > :now, true))
      group by kind, coalesce(expires_at > :now, true), granted, holds, payment_holds, coalesce(payment_hold_from <= :now, false),
        revoked_at is null, pending_until is null
    `,
  );
  return async (now) => {
    const counts = Object.fromEntries(LICENSE_STATES.map((state) => [state, 0])) as Record<
      LicenseState,
      number
    >;
    for (const { licenses, facts } of alike.iterate({ now }))
      if (licenses > 0) counts[licenseState(JSON.parse(facts) as LicenseFacts, now)] += licenses;
    return counts;
  };
}
