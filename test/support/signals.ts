import type { RefusalCode } from '../../src/domain/refusal.ts';
import * as signals from '../../src/signals/index.ts';

/** A write-only route behind the privacy gate, as a test uses it. */
export interface WriteOnlyRoute {
  readonly path: string;
  readonly capBytes: number;
  readonly shape: RefusalCode;
  readonly privacy: RefusalCode;
  /** A valid body. */
  readonly body: Readonly<Record<string, unknown>>;
}

const KIB = 1024;
const FLAGS = { piiIncluded: false, contentIncluded: false, secretsIncluded: false };

export const SIGNALS: readonly WriteOnlyRoute[] = Object.values(signals).map(
  ({ path, capBytes, codes, body }) => ({
    path,
    capBytes,
    shape: codes.shape,
    privacy: codes.privacy,
    body: body.examples[0],
  }),
);

export const RESTORE: WriteOnlyRoute = {
  path: '/restore/assess',
  capBytes: 8 * KIB,
  shape: 'INVALID_RESTORE_SIGNAL',
  privacy: 'RESTORE_CONTENT_REJECTED',
  body: {
    ...FLAGS,
    backupAgeBucket: 'under_24h',
    integrityCheck: 'restore_tested',
    knownInfectedOverlap: 'none',
    fileCounts: { core: { clean: 3000, suspicious: 0, infected: 0 } },
  },
};

export const DECOY_TRIP: WriteOnlyRoute = {
  path: '/canary/trip',
  capBytes: 32 * KIB,
  shape: 'INVALID_CANARY_TRIP',
  privacy: 'INVALID_CANARY_TRIP',
  body: {
    ...FLAGS,
    decoyKind: 'ssh_key',
    accessVector: 'filesystem',
    behaviorClass: 'lateral_movement',
    tripCount: 2,
    payloadHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

export const THREAT_REPORT: WriteOnlyRoute = {
  path: '/threat-report/report',
  capBytes: 8 * KIB,
  shape: 'THREATREPORT_INVALID_REPORT',
  privacy: 'THREATREPORT_INVALID_REPORT',
  body: {
    attackType: 'sql_injection',
    behaviorClass: 'automated_scanner',
    payloadHash: 'abc',
    siteIdHash: 'site-hash',
    licenseIdHash: 'license-hash',
  },
};

export const WRITE_ONLY: readonly WriteOnlyRoute[] = [...SIGNALS, RESTORE, DECOY_TRIP, THREAT_REPORT];

export function signalAt(path: string): WriteOnlyRoute {
  const found = SIGNALS.find((signal) => signal.path === path);
  if (found === undefined) throw new Error(`no signal at ${path}`);
  return found;
}
