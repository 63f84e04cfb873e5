import { refuse } from '../../domain/refusal.ts';

const CUT_OFF_RETRY_SECONDS = 60;

export const scansDisabled = () =>
  refuse('SURFACE_SCAN_DISABLED', 'The operator has turned surface scans off.');

/** @param what `scan` or `check`, for the message */
export const cutOff = (what: string) =>
  refuse(
    'SCAN_UNAVAILABLE',
    `The ${what} could not run, because the network or the resolver of this service fails. The site may be fine.`,
    CUT_OFF_RETRY_SECONDS,
  );
