import { licenseName } from '../domain/license/license-name.ts';
import { iso, isoOrNull } from '../lib/clock.ts';
import type { PaymentProblems } from '../storage/payments/payment-problems.ts';

/** What is wrong with payments, as programs are shown it. */
export const shownPaymentProblems = ({ failing, held, dismissedToday }: PaymentProblems) => ({
  failing: failing.map(({ kind, subjectId, events, attempts, oldestReceivedAt, nextTryAt }) => ({
    kind,
    subject_id: subjectId,
    events,
    attempts,
    received_at: iso(oldestReceivedAt),
    next_try_at: iso(nextTryAt),
  })),
  held_licenses: held.map(({ licenseId, pastDueHoldFrom, isDisputed, details }) => ({
    license_id: licenseName(licenseId),
    past_due_hold_from: isoOrNull(pastDueHoldFrom),
    disputed: isDisputed,
    details,
  })),
  dismissed_today: dismissedToday,
});
