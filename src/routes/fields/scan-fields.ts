import { Type as t } from '@sinclair/typebox';
import type { Finding } from '../../domain/finding.ts';
import { refuse } from '../../domain/refusal.ts';
import {
  SCAN_FAILURES,
  SCAN_STATUSES,
  SCAN_TRIGGERS,
  SCAN_TYPES,
  type ScanFailure,
  scanStatus,
} from '../../domain/scan/scan.ts';
import { nullable, timestamp, typed } from '../../http/contract/answers.ts';
import { meanings, oneOf, SeverityName } from '../../http/fields.ts';
import { iso, isoOrNull } from '../../lib/clock.ts';
import type { Scan } from '../../storage/scans/scans.ts';

/** Retry-After of unfinished scans. */
export const RETRY_SECONDS = 2;

export const ScanTypeName = oneOf(
  SCAN_TYPES,
  '`posture`: based on telemetry. `surface`: from outside. `assessment`: both, with a grade',
  'ScanType',
);
export const ScanStatusName = oneOf(SCAN_STATUSES, 'status of the scan', 'ScanStatus');

export const FindingFields = typed('Finding', {
  id: t.String({ description: 'stable ID of the rule' }),
  severity: SeverityName,
  title: t.String({ description: 'title of the finding' }),
  evidence: t.String({ description: 'evidence, without content or user names' }),
  recommendation: t.String({ description: 'impact and recommended action' }),
});
export const EXAMPLE_POSTURE_FINDING: Finding = {
  id: 'cloud_immunity_exposed_port_count',
  severity: 'high',
  title: 'Administrative or database ports are open to the internet',
  evidence: 'The latest signal of this license, measured 2 days ago, reports exposedPortCount: 1.',
  recommendation: 'Attackers probe them constantly. Close them, and use a bastion host or a private network.',
};

export const scanFields = {
  scan_id: t.String({ description: 'opaque scan ID' }),
  status: ScanStatusName,
  scan_type: ScanTypeName,
  site_url: t.String({ description: 'scanned URL' }),
  trigger: oneOf(SCAN_TRIGGERS, 'origin of the scan: a request or a schedule', 'ScanTrigger'),
  queued_at: timestamp('time of the request'),
  started_at: nullable(timestamp('start time; null if not started')),
  finished_at: nullable(timestamp('end time; null if not ended')),
  failure: nullable(
    oneOf(SCAN_FAILURES, undefined, 'ScanFailure'),
    meanings('Reason for the failure; null unless the scan failed', {
      unreachable: 'this service has no network or resolver; the site may be fine.',
      timed_out: 'it took longer than a minute.',
      interrupted: 'the service stopped or failed.',
      disabled: 'surface scans were turned off, or the license is no longer valid.',
      not_verified: 'domain verification had lapsed at the start.',
    } satisfies Record<ScanFailure, string>),
  ),
};

export const scanOf = (scan: Scan) => ({
  scan_id: scan.publicId,
  status: scanStatus(scan),
  scan_type: scan.type,
  site_url: scan.siteUrl,
  trigger: scan.trigger,
  queued_at: iso(scan.queuedAt),
  started_at: isoOrNull(scan.startedAt),
  finished_at: isoOrNull(scan.finishedAt),
  failure: scan.canceledAt === null ? scan.failure : null,
});
export const EXAMPLE_SCAN = {
  scan_id: '3rkBqXoG0hZtYc8VnJd1Wf',
  status: 'queued',
  scan_type: 'surface',
  site_url: 'https://shop.example/',
  trigger: 'api',
  queued_at: '2026-11-22T09:30:00.000Z',
  started_at: null,
  finished_at: null,
  failure: null,
};

export const notASite = () =>
  refuse('INVALID_PAYLOAD', 'site_url is not a domain or the URL of a site on its default port.');
export const siteNotFound = () => refuse('SITE_NOT_FOUND', 'This license has no such site.');
export const notVerified = () =>
  refuse(
    'DOMAIN_NOT_VERIFIED',
    'This license has not proved that it controls the domain. See POST /sites/{siteId}/verification, or ask the operator of this service to vouch for it.',
  );
