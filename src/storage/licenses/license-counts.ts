import {
  LICENSE_STATES,
  type LicenseFacts,
  type LicenseState,
  licenseState,
} from '../../domain/license/license.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Most licenses: only their kind and end determine their state. */
const PLAIN =
  "granted is null and holds = '[]' and payment_holds = '[]' and payment_hold_from is null and revoked_at is null and pending_until is null";

/** The shared facts of licenses whose states cannot differ at this moment. */
interface Alike extends Omit<LicenseFacts, 'granted' | 'holds' | 'paymentHolds'> {
  readonly licenses: number;
  readonly granted: string | null;
  readonly holds: string;
  readonly paymentHolds: string;
}

/** Counts all licenses by their states at a moment. Evaluates each combination of facts once. */
export function readLicenseCounts(db: Database): (now: number) => Promise<Record<LicenseState, number>> {
  // Counting these without sorting takes a third of the time.
  const alike = prepare<Alike>(
    db,
    `
    select count(*) as licenses, 'paid' as kind, min(expires_at) as expiresAt, null as granted, '[]' as holds,
        '[]' as paymentHolds, null as paymentHoldFrom, null as revokedAt, null as pendingUntil
      from licenses where ${PLAIN} and kind = 'paid' and coalesce(expires_at > :now, true)
    union all
    select count(*) as licenses, kind, min(expires_at), granted, holds, payment_holds, min(payment_hold_from), min(revoked_at),
        min(pending_until)
      from licenses where not (${PLAIN} and kind = 'paid' and coalesce(expires_at > :now, true))
      group by kind, coalesce(expires_at > :now, true), granted, holds, payment_holds, coalesce(payment_hold_from <= :now, false),
        revoked_at is null, pending_until is null
    `,
  );
  return async (now) => {
    const counts = Object.fromEntries(LICENSE_STATES.map((state) => [state, 0])) as Record<
      LicenseState,
      number
    >;
    for await (const { licenses, granted, holds, paymentHolds, ...facts } of alike.iterate({ now })) {
      if (licenses === 0) continue;
      const read = {
        ...facts,
        granted: granted === null ? null : JSON.parse(granted),
        holds: JSON.parse(holds),
        paymentHolds: JSON.parse(paymentHolds),
      };
      counts[licenseState(read, now)] += licenses;
    }
    return counts;
  };
}
