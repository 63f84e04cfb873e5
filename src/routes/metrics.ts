import { planBudget } from '../domain/license/daily-budget.ts';
import { refuse } from '../domain/refusal.ts';
import { isTimeless } from '../domain/vulnerability/mirror-age.ts';
import { counter, gauge, gaugeBy, gaugeByPlan, type RequestMetrics } from '../http/request-metrics.ts';
import { openRoute } from '../http/route/index.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { ConnectionCounts } from '../lib/crowd.ts';
import type { KeptBackup } from '../storage/installation/backups.ts';
import type { TargetReads } from '../storage/notifications/targets.ts';
import type { TenantData } from '../storage/tenant-data.ts';
import type { Parts } from './parts.ts';
import type { Health } from './service-health.ts';

const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

const connectionMetrics = ({ open, crowded }: ConnectionCounts): string =>
  gauge('redoubt_connections', 'Open connections, counted as files.', open) +
  counter('redoubt_connections_crowded_total', 'Silent connections closed to make room for others.', crowded);

interface MetricsParts
  extends Parts<'clock' | 'config' | 'feed' | 'health' | 'limits' | 'mirror' | 'peekLimits' | 'uses'> {
  readonly tenantData: Pick<TenantData, 'volumes'>;
  /** Whether the client may read metrics. */
  readonly mayReadMetrics: (request: Request) => boolean;
  readonly requestMetrics: RequestMetrics;
  readonly notifications: {
    /** Deliveries of this node, by `<kind> <outcome>`. */
    readonly counts: ReadonlyMap<string, number>;
    readonly totals: TargetReads['totals'];
  };
  /** Returns undefined if the runtime does not count connections. */
  readonly connections: () => ConnectionCounts | undefined;
}

export const metrics = openRoute({
  at: 'GET /metrics',
  handle: async ({ request, set }, parts: MetricsParts) => {
    const { peekLimits, limits, mayReadMetrics, requestMetrics, connections, uses } = parts;
    if (!mayReadMetrics(request)) {
      throw limits.countUnknownPath({ request, set }) ?? refuse('NOT_FOUND', 'Unknown path.');
    }
    await peekLimits({ request, set });
    uses.note('metrics');
    set.headers['content-type'] = TEXT_FORMAT;
    const counts = connections();
    return (
      requestMetrics.exposition() +
      (counts ? connectionMetrics(counts) : '') +
      stateOf(parts) +
      (await operatingOf(parts.health)) +
      (await mirrorOf(parts)) +
      (await notificationsOf(parts)) +
      (await budgetsOf(parts))
    );
  },
});

const stateOf = ({ feed, health }: MetricsParts): string =>
  gauge('redoubt_ready', '1 when ready, 0 otherwise.', health.problems().length === 0 ? 1 : 0) +
  gauge('redoubt_feed_age_seconds', 'Age of the served feed.', feed.ageSeconds()) +
  gauge('redoubt_uptime_seconds', 'Time since the start.', process.uptime()) +
  gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage().rss);

const operatingOf = async ({ certificateEndsAt, lastBackup, reloads }: Health): Promise<string> =>
  gauge('redoubt_last_reload_successful', '0 when the last reload failed.', reloads.hasLastFailed ? 0 : 1) +
  expiryOf(certificateEndsAt()) +
  backupOf(await lastBackup());

/** Empty without a backup. */
const backupOf = (backup: KeptBackup | undefined): string =>
  backup === undefined
    ? ''
    : gauge('redoubt_last_backup_timestamp_seconds', 'Time of the last good backup.', backup.at / SECOND_MS) +
      gauge('redoubt_last_backup_bytes', 'Size of the last good backup.', backup.bytes);

const expiryOf = (endsAt: number | undefined): string =>
  endsAt === undefined
    ? ''
    : gauge(
        'redoubt_certificate_expiry_timestamp_seconds',
        'Expiry of the TLS certificate.',
        endsAt / SECOND_MS,
      );

/** Empty without imported data. */
async function mirrorOf({ mirror }: MetricsParts): Promise<string> {
  // Statements of suppliers do not expire.
  const sources = ((await mirror.current())?.sources ?? []).filter((source) => !isTimeless(source));
  return sources.length === 0
    ? ''
    : gaugeBy(
        'source',
        'redoubt_vulnerability_source_timestamp_seconds',
        'Date of the imported data of a vulnerability source.',
        sources.map(({ name, publishedAt, importedAt }) => [name, (publishedAt ?? importedAt) / SECOND_MS]),
      );
}

async function notificationsOf({ notifications: { counts, totals } }: MetricsParts): Promise<string> {
  const { targets, paused, waiting, dropped } = await totals();
  const name = 'redoubt_notification_deliveries_total';
  const deliveries = [...counts].map(([key, count]) => {
    const [kind, outcome] = key.split(' ');
    return `${name}{kind="${kind}",outcome="${outcome}"} ${count}\n`;
  });
  return (
    gaugeBy('state', 'redoubt_notification_targets', 'Notification targets.', [
      ['active', targets - paused],
      ['paused', paused],
    ]) +
    gauge('redoubt_notifications_waiting', 'Events waiting for delivery, counted once per target.', waiting) +
    counter('redoubt_notifications_dropped_total', 'Events dropped because too many were waiting.', dropped) +
    `# HELP ${name} Events sent by this node, by outcome.\n# TYPE ${name} counter\n${deliveries.join('')}`
  );
}

async function budgetsOf({ config, tenantData, clock }: MetricsParts): Promise<string> {
  const stored = await tenantData.volumes.ofAll(clock.now());
  const perLicense = (what: string) => `${what} that one license may store on a UTC day.`;
  const today = (what: string) => `${what} stored since midnight UTC, all licenses together.`;
  return (
    gauge('redoubt_stored_events_today', today('Events of telemetry'), stored.events) +
    gauge('redoubt_stored_bytes_today', today('Bytes of telemetry and signals'), stored.bytes) +
    gaugeByPlan(
      'redoubt_daily_budget_events',
      perLicense('Events of telemetry'),
      (plan) => planBudget(plan, config).events,
    ) +
    gaugeByPlan(
      'redoubt_daily_budget_bytes',
      perLicense('Bytes of telemetry and signals'),
      (plan) => planBudget(plan, config).bytes,
    )
  );
}
