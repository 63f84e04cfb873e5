import { HOLDS, type Hold } from '../license/license.ts';

export const HOLD_DETAILS = ['past_due', 'unpaid', 'paused', 'refunded', 'disputed'] as const;
/** Why the payment processor suspends a license. */
export type HoldDetail = (typeof HOLD_DETAILS)[number];

/** One reason for a hold by the payment processor. */
export interface HoldCause {
  readonly hold: Hold;
  readonly detail: HoldDetail;
  /** Identifies it among causes of the same kind: the refunds, the dispute, or the time of the missed payment. */
  readonly subject: string;
  /** Milliseconds since the Unix epoch; null = at once. */
  readonly from: number | null;
  /** Whether an operator has lifted it. Later events about the same subject do not set it again. */
  readonly isLifted: boolean;
}

/** A cause as the payment processor reports it. */
export const holdCause = (
  hold: Hold,
  detail: HoldDetail,
  subject: string,
  from: number | null = null,
): HoldCause => ({ hold, detail, subject, from, isLifted: false });

/** Causes as they are now. Those that an operator has lifted stay lifted for as long as they exist. */
export const withLifted = (causes: readonly HoldCause[], known: readonly HoldCause[]): HoldCause[] =>
  causes.map((cause) => ({
    ...cause,
    isLifted: known.some(
      ({ detail, subject, isLifted }) => isLifted && detail === cause.detail && subject === cause.subject,
    ),
  }));

/** Why a license is suspended, without reasons that an operator has lifted. */
export const detailsOf = (causes: readonly HoldCause[]): HoldDetail[] =>
  HOLD_DETAILS.filter((detail) => causes.some((cause) => cause.detail === detail && !cause.isLifted));

/** The suspension of a license from its causes. */
export function holdsOf(causes: readonly HoldCause[]): {
  paymentHolds: Hold[];
  paymentHoldFrom: number | null;
} {
  const inForce = causes.filter(({ isLifted }) => !isLifted);
  const atOnce = inForce.filter(({ from }) => from === null).map(({ hold }) => hold);
  return {
    paymentHolds: HOLDS.filter((hold) => atOnce.includes(hold)),
    paymentHoldFrom: inForce.find(({ from }) => from !== null)?.from ?? null,
  };
}
