import { outcomeOf, reasonOf } from '../../domain/license/verification.ts';
import type { RequestMetrics } from '../../http/request-metrics.ts';
import { iso, isoOrNull, SECOND_MS } from '../../lib/clock.ts';
import { FreshValues } from '../../lib/fresh-values.ts';
import { VERSION } from '../../lib/version.ts';
import { readDailyVolumes } from '../../storage/licenses/daily-volumes.ts';
import { readLicenseCounts } from '../../storage/licenses/license-counts.ts';
import { readPaymentProblems } from '../../storage/payments/payment-problems.ts';
import { readCriticalAlerts } from '../../storage/sites/critical-alerts.ts';
import { readFeedSnapshot } from '../../storage/threats/feed-snapshots.ts';
import { stateOf } from '../fields/finding-fields.ts';
import type { Parts } from '../parts.ts';

/** Cached, because counting 100,000 licenses takes tens of milliseconds. */
const FRESH_MS = 5 * SECOND_MS;
const PROBLEMS_MAX = 1_000;

export interface StatusParts extends Parts<'clock' | 'config' | 'db' | 'feed' | 'health' | 'mirror'> {
  readonly requestMetrics: Pick<RequestMetrics, 'verifications'>;
}

/** The answer of GET /status. */
export type ServiceStatusNow = Awaited<ReturnType<ReturnType<typeof createServiceStatus>>>;

export interface HasServiceStatus {
  readonly serviceStatus: () => Promise<ServiceStatusNow>;
}

/** Returns a function that returns the service status, cached for five seconds. */
export function createServiceStatus(parts: StatusParts) {
  const { db, clock, config, health, feed, mirror, requestMetrics } = parts;
  const startedAt = clock.now() - Math.round(process.uptime() * SECOND_MS);
  const licenseCounts = readLicenseCounts(db);
  const criticalAlerts = readCriticalAlerts(db);
  const volumes = readDailyVolumes(db);
  const paymentProblems = readPaymentProblems(db);

  const read = async () => {
    const now = clock.now();
    const snapshot = await readFeedSnapshot(db);
    const vulnerabilities = await mirror.current();
    const alerts = await criticalAlerts(now);
    const { failing, held, dismissedToday } = await paymentProblems(PROBLEMS_MAX, now);
    return {
      version: VERSION,
      started_at: iso(startedAt),
      ready: health.problems().length === 0,
      problems: [...health.problems()],
      warnings: [...(await health.warnings())],
      certificate_expires_at: isoOrNull(health.certificateEndsAt() ?? null),
      licenses: await licenseCounts(now),
      verifications: Array.from(requestMetrics.verifications, ([verification, count]) => ({
        outcome: outcomeOf(verification),
        reason: reasonOf(verification) ?? null,
        count,
      })),
      critical_alerts: alerts.open,
      critical_alerts_unacknowledged: alerts.unacknowledged,
      stored_today: await volumes.ofAll(now),
      feed: {
        epoch: snapshot?.epoch ?? null,
        generated_at: isoOrNull(snapshot?.generatedAt ?? null),
        age_seconds: feed.ageSeconds(),
      },
      vulnerabilities: {
        state: stateOf(vulnerabilities, config.mirrorStaleHours, now),
        damaged: mirror.isBroken,
        imported_at: isoOrNull(vulnerabilities?.importedAt ?? null),
      },
      payments: { failing: failing.length, held_licenses: held.length, dismissed_today: dismissedToday },
      read_at: iso(now),
    };
  };
  const fresh = new FreshValues(read, { freshMs: FRESH_MS, max: 1, monotonic: clock.monotonic });
  return async () => (await fresh.get('status')) ?? read();
}
