import { RETRY_MS_MAX } from '../../domain/notification/retry.ts';
import { DIGEST_MS_MAX, ROTATION_MS } from '../../domain/notification/target.ts';
import { MINUTE_MS } from '../../lib/clock.ts';
import { credentialsRevoked } from '../credentials/credential-jobs.ts';
import { ahead, past } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import { domainsRefused } from '../licenses/refused-domains.ts';
import { audited } from '../operators/audit.ts';
import { scanFinished } from '../scans/scan-jobs.ts';
import { alertsReported } from '../sites/alerts.ts';
import { feedPublishing } from '../threats/feed-snapshots.ts';
import { trustChanged } from '../trust/trust-sites.ts';
import { findingsChanged } from '../vulnerabilities/inventories.ts';
import { deliveryJobs } from './delivery-jobs.ts';
import { leaseJobs } from './leases.ts';
import { recordAlerts } from './on-alerts.ts';
import { recordAudit } from './on-audit.ts';
import { recordFeed, recordRefusals, recordRevocation, recordScan, recordTrust } from './on-changes.ts';
import { findingJobs, recordSiteFindings } from './on-findings.ts';
import { outboxRetentionJobs } from './outbox-retention.ts';
import { sweepJobs } from './sweep-jobs.ts';
import * as tables from './tables.ts';
import { targetJobs } from './target-jobs.ts';

const { targets, targetStates, deliveries } = tables;
const DUE_AHEAD_MS = Math.max(RETRY_MS_MAX, DIGEST_MS_MAX);

export const notifications = {
  tables,
  jobs: { deliveryJobs, findingJobs, leaseJobs, outboxRetentionJobs, sweepJobs, targetJobs },
  reactions: [
    audited.with(recordAudit),
    alertsReported.with(recordAlerts),
    domainsRefused.with(recordRefusals),
    feedPublishing.with(recordFeed),
    findingsChanged.with(recordSiteFindings),
    scanFinished.with(recordScan),
    credentialsRevoked.with(recordRevocation),
    trustChanged.with(recordTrust),
  ],
  filledByStart: [tables.notedStates],
  ownMoments: [
    ...past(targets.id, targets.createdAt, targets.pausedAt),
    ahead(targets.id, targets.previousSecretUntil, ROTATION_MS),
    ...past(undefined, tables.notedStates.notedAt),
    ahead(deliveries.eventId, deliveries.dueAt, DUE_AHEAD_MS),
    ahead(targetStates.targetId, targetStates.nextDueAt, DUE_AHEAD_MS),
    ahead(targetStates.targetId, targetStates.restsUntil, RETRY_MS_MAX),
    ahead(targetStates.targetId, targetStates.leasedUntil, MINUTE_MS),
    ...past(targetStates.targetId, targetStates.succeededAt, targetStates.failedAt),
  ],
} satisfies Subject;

declare module '../engine/jobs/jobs.ts' {
  interface KnownSubjects {
    readonly notifications: typeof notifications;
  }
}
