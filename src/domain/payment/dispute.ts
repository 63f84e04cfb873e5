/** A dispute as the payment processor has it now. */
export interface Dispute {
  readonly id: string;
  readonly customerId: string | null;
  readonly status: string;
}

const DISPUTE_SETTLED = new Set(['won', 'warning_closed', 'prevented']);

/** Whether a dispute holds the licenses of its customer: until it ends in our favour. */
export const disputeHolds = ({ status }: Dispute): boolean => !DISPUTE_SETTLED.has(status);
