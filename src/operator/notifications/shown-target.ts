import { licenseName } from '../../domain/license/license-name.ts';
import type { Outcome } from '../../domain/notification/delivery.ts';
import { maskedAddress } from '../../domain/notification/target-address.ts';
import { testWords } from '../../domain/notification/test-delivery.ts';
import { iso, isoOrNull, MINUTE_MS } from '../../lib/clock.ts';
import type { Attempt } from '../../storage/notifications/delivery-attempts.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';

/** A target as its tenant's programs are shown it. */
export const shownTenantTarget = (target: TargetRecord) => ({
  id: target.publicId,
  name: target.name,
  kind: target.kind,
  address: target.address,
  format: target.format,
  events: [...target.events],
  min_severity: target.minSeverity,
  digest_minutes: Math.round(target.digestMs / MINUTE_MS),
  paused_at: isoOrNull(target.pausedAt),
  paused_reason: target.pausedReason,
  waiting: target.waiting,
  dropped: target.dropped,
  last_success_at: isoOrNull(target.succeededAt),
  last_error_at: isoOrNull(target.failedAt),
  last_error: target.failure,
  created_at: iso(target.createdAt),
});

/**
 * A target as operators' programs are shown it.
 *
 * @param isWhole whether with its whole address and the names of customers, for those who may change it
 */
export const shownTarget = (target: TargetRecord, isWhole: boolean) => ({
  ...shownTenantTarget(target),
  address: isWhole ? target.address : maskedAddress(target),
  license_id: target.licenseId === null ? null : licenseName(target.licenseId),
  license_ids: target.licenses.map(licenseName),
  customers: isWhole ? [...target.customers] : null,
  include_personal: target.isPersonalIncluded,
  has_ca: target.ca !== null,
});

/** One attempt to deliver, as programs are shown it. */
export const shownAttempt = ({ at, event, type, events, attempt, ...outcome }: Attempt) => ({
  at: iso(at),
  event_id: event,
  type,
  events,
  attempt,
  outcome: outcome.outcome,
  status: outcome.status,
  latency_ms: outcome.latencyMs,
  reason: outcome.reason,
});

/** What came of a test, as programs are shown it. */
export const shownTest = (outcome: Outcome) => ({
  delivered: outcome.outcome === 'delivered',
  status: outcome.status,
  latency_ms: outcome.latencyMs,
  message: testWords(outcome),
});
