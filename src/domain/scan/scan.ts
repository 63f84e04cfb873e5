/** Those that a request can wait for. */
export const DIRECT_SCAN_TYPES = ['posture', 'surface'] as const;
export const SCAN_TYPES = [...DIRECT_SCAN_TYPES, 'assessment'] as const;
/** The subject of a scan: a site's reports, its public surface, or everything known of it, with a grade. */
export type ScanType = (typeof SCAN_TYPES)[number];

export const SCAN_TRIGGERS = ['api', 'schedule'] as const;
export type ScanTrigger = (typeof SCAN_TRIGGERS)[number];

export const SCAN_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type ScanStatus = (typeof SCAN_STATUSES)[number];

export const SCAN_FAILURES = ['unreachable', 'timed_out', 'interrupted', 'disabled', 'not_verified'] as const;
/** Why a scan ended without a result. A site that does not answer is a finding, not a failure. */
export type ScanFailure = (typeof SCAN_FAILURES)[number];

/** The stored facts of a scan; its status is derived. All times are milliseconds since the Unix epoch. */
export interface ScanFacts {
  readonly queuedAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** When it was canceled; a running scan ends soon after. */
  readonly canceledAt: number | null;
  readonly failure: ScanFailure | null;
}

/** The status of a scan. */
export function scanStatus({ startedAt, finishedAt, canceledAt, failure }: ScanFacts): ScanStatus {
  if (finishedAt === null) return startedAt === null ? 'queued' : 'running';
  if (canceledAt !== null) return 'canceled';
  return failure === null ? 'done' : 'failed';
}
