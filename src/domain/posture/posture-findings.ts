import { isOlderVersion, versionNumbers } from '../../lib/version-order.ts';
import { type Finding, type FindingRule, judge } from '../finding.ts';
import type { OpenAlert } from '../site/alerts.ts';
import type { SiteExpectations } from '../site/site.ts';
import { siteStatus } from '../site/site-status.ts';
import { ago, daysBetween } from './ago.ts';
import { MEASURE_RULES, type PostureMeasure } from './measures.ts';
import { OVERDUE_RULES, type OverdueVulnerability } from './overdue-vulnerabilities.ts';
import { SIGNAL_RULES } from './signals.ts';

/** A tenant's reports about one site, as plain values. All times are milliseconds since the Unix epoch. */
export interface PostureSummary extends SiteExpectations {
  readonly now: number;
  /** When the site last reported; null = never. */
  readonly lastSeenAt: number | null;
  readonly pluginVersion: string | null;
  readonly openAlerts: readonly OpenAlert[];
  /** In the reported components, by the current vulnerability data. */
  readonly overdueVulnerabilities: readonly OverdueVulnerability[];
  /** The latest of each kind. */
  readonly measures: readonly PostureMeasure[];
}

const LONG_SILENT_DAYS = 7;

type PostureRule = FindingRule<PostureSummary>;

/** Since when a site is silent; 0 while it is not. */
const silentDays = ({ now, lastSeenAt, heartbeatSeconds }: PostureSummary): number =>
  lastSeenAt !== null && siteStatus(lastSeenAt, now, heartbeatSeconds) === 'silent'
    ? daysBetween(lastSeenAt, now)
    : 0;

const LAST_SEEN_RULES: readonly PostureRule[] = [
  {
    id: 'site_never_reported',
    severity: 'medium',
    title: 'The site has never reported',
    recommendation:
      'Problems cannot be detected without reports. Install the plugin or agent with this license and wait ' +
      'for its first heartbeat.',
    see: ({ lastSeenAt }) => (lastSeenAt === null ? 'No telemetry has arrived from this site.' : undefined),
  },
  {
    id: 'site_silent_long',
    severity: 'high',
    title: 'The site has been silent for a week or longer',
    recommendation:
      'Intruders often remove or disable a security plugin first. Check whether the site ' +
      'is up and the plugin active, and inspect the site manually.',
    see: (summary) =>
      silentDays(summary) >= LONG_SILENT_DAYS ? `Last seen ${ago(silentDays(summary))}.` : undefined,
  },
  {
    id: 'site_silent',
    severity: 'medium',
    title: 'The site has been silent for a day or longer',
    recommendation:
      'Attacks are not reported while the plugin is silent. Check whether the site is up, the plugin active and ' +
      'its scheduled tasks running.',
    see(summary) {
      const silent = silentDays(summary);
      return silent > 0 && silent < LONG_SILENT_DAYS ? `Last seen ${ago(silent)}.` : undefined;
    },
  },
];

const PLUGIN_RULES: readonly PostureRule[] = [
  {
    id: 'plugin_outdated',
    severity: 'medium',
    title: 'The plugin is not the newest version',
    recommendation:
      'Updates add detections and fix vulnerabilities of the plugin itself. Update it, and enable automatic updates.',
    see: ({ pluginVersion, newestPluginVersion }) =>
      pluginVersion !== null &&
      newestPluginVersion !== null &&
      isOlderVersion(pluginVersion, newestPluginVersion)
        ? `It last reported version ${versionNumbers(pluginVersion)}; the newest known version is ${versionNumbers(newestPluginVersion)}.`
        : undefined,
  },
  {
    id: 'plugin_version_unknown',
    severity: 'low',
    title: 'The plugin does not report its version',
    recommendation: 'An outdated plugin would not be noticed. Update it to a version that sends heartbeats.',
    see: ({ lastSeenAt, pluginVersion }) =>
      lastSeenAt !== null && pluginVersion === null
        ? 'Telemetry arrived, but no heartbeat with a plugin version.'
        : undefined,
  },
];

const ALERT_ACTIONS: Readonly<Record<OpenAlert['severity'], string>> = {
  critical:
    'These events show that code was executed or data was stolen. Treat the site as compromised until each is explained: ' +
    'isolate it, rotate its credentials, and look for changes.',
  high: 'These are common attack methods. Check whether each attempt succeeded, and update the targeted components.',
};

const SUBJECTS_SHOWN_MAX = 5;

/** The newest first, by the types of their events. */
function alertEvidence(alerts: readonly OpenAlert[], now: number): string | undefined {
  const newest = alerts.toSorted((one, other) => other.lastOccurredAt - one.lastOccurredAt);
  const [last] = newest;
  if (last === undefined) return undefined;
  const shown = newest.slice(0, SUBJECTS_SHOWN_MAX).map(({ subject }) => subject);
  const hidden = newest.length - shown.length;
  const names = shown.join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
  const count = `${newest.length} open ${newest.length === 1 ? 'alert' : 'alerts'}`;
  return `${count}: ${names}, last ${ago(daysBetween(last.lastOccurredAt, now))}.`;
}

const ALERT_RULES = (['critical', 'high'] as const).map(
  (severity): PostureRule => ({
    id: `open_alerts_${severity}`,
    severity,
    title: `Open alerts of ${severity} severity`,
    recommendation: ALERT_ACTIONS[severity],
    see: ({ openAlerts, now }) =>
      alertEvidence(
        openAlerts.filter((alert) => alert.severity === severity),
        now,
      ),
  }),
);

export const POSTURE_RULES: readonly PostureRule[] = [
  ...LAST_SEEN_RULES,
  ...ALERT_RULES,
  ...OVERDUE_RULES,
  ...PLUGIN_RULES,
  ...SIGNAL_RULES,
  ...MEASURE_RULES,
];

/** Evaluates a tenant's reports about a site, most severe first; works offline. */
export const judgePosture = (summary: PostureSummary): Finding[] => judge(POSTURE_RULES, summary);
