/** The action of the audit log by which a running service notices that `redoubt clock accept` set moments to now. */
export const CLOCK_ACCEPTED = 'clock.accept';
