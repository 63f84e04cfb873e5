import {
  LICENSE_STATES,
  type LicenseFacts,
  type LicenseState,
  licenseState,
} from '../../domain/license/license.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import { PLAIN_LICENSE } from './plain-licenses.ts';

/** The shared facts of licenses whose states cannot differ at this moment. */
interface Alike extends Omit<LicenseFacts, 'granted' | 'holds' | 'paymentHolds'> {
  readonly licenses: number;
  readonly granted: string | null;
  readonly holds: string;
  readonly paymentHolds: string;
}

const ENDED = `from licenses where ${PLAIN_LICENSE} and expires_at <= :now`;
const NONE = 'cast(null as bigint)';

/**
 * Counts all licenses by their states at a moment. Reads only licenses that are not plain, and evaluates each combination of facts
 * once.
 */
export function readLicenseCounts(db: Database): (now: number) => Promise<Record<LicenseState, number>> {
  const plainFacts = `null as granted, '[]' as holds, '[]' as paymentHolds, ${NONE} as paymentHoldFrom, ${NONE} as revokedAt,
        ${NONE} as pendingUntil`;
  const alike = prepare<Alike>(
    db,
    `
    select (select count(*) from licenses) - (select count(*) from licenses where not (${PLAIN_LICENSE}))
        - (select count(*) ${ENDED}) as licenses, 'paid' as kind, ${NONE} as expiresAt, ${plainFacts}
    union all
    select (select count(*) ${ENDED}), 'paid', cast(:now as bigint), ${plainFacts}
    union all
    select count(*), kind, min(expires_at), granted, holds, payment_holds, min(payment_hold_from), min(revoked_at), min(pending_until)
      from licenses where not (${PLAIN_LICENSE})
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
