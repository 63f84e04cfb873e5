import type { JobName } from './jobs.ts';

/** Those that make room: they may write when the disk is too full for others. */
const HOUSEKEEPING: ReadonlySet<JobName> = new Set<JobName>([
  'forgetEvents',
  'forgetSignals',
  'forgetAlerts',
  'forgetThreatReports',
  'forgetDailyUse',
  'forgetDailyVolumes',
  'forgetPaymentEvents',
  'forgetVerdicts',
  'forgetInventories',
  'forgetScans',
  'forgetAssessments',
  'forgetEvidence',
  'forgetScanRequests',
  'forgetCredentials',
  'forgetPreviousKeys',
  'forgetAudit',
  'forgetAdminRequests',
  'forgetSessions',
  'forgetPortalSessions',
  'correctLastSeen',
  'giveBackPages',
]);
export const isHousekeeping = (name: JobName): boolean => HOUSEKEEPING.has(name);
