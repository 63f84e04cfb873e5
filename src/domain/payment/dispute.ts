/** The state of a dispute: undecided, decided against us, or over without loss. */
export type DisputeStatus = 'open' | 'lost' | 'settled';

/** A dispute as the payment processor has it now. */
export interface Dispute {
  readonly id: string;
  readonly customerId: string | null;
  readonly status: DisputeStatus;
}

/** Whether a dispute suspends the licenses of its customer: until it ends in our favor. */
export const disputeHolds = ({ status }: Dispute): boolean => status !== 'settled';
