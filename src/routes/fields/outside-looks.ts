import { refuse } from '../../domain/refusal.ts';

const CUT_OFF_RETRY_SECONDS = 60;

/** The refusal of every scan of a site from outside. */
export const scansDisabled = () =>
  refuse('SURFACE_SCAN_DISABLED', 'The operator has turned surface scans off.');

/** @param look what could not run: `scan` or `check` */
export const cutOff = (look: string) =>
  refuse(
    'SCAN_UNAVAILABLE',
    `The ${look} could not run: the network or the resolver of this service fails. The site may be fine.`,
    CUT_OFF_RETRY_SECONDS,
  );
