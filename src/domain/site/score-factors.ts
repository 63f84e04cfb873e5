import { isOlderVersion, versionNumbers } from '../../lib/version-order.ts';
import { ALERT_OPEN_DAYS, INCIDENT_DAYS } from './alerts.ts';
import type { SiteStatus } from './site-status.ts';

export interface AlertCounts {
  readonly critical: number;
  readonly high: number;
}

/** What a site's score is made from. */
export interface SiteFacts {
  readonly status: SiteStatus;
  readonly openAlerts: AlertCounts;
  /** Alerts of the last 30 days, open or not. */
  readonly incidents: AlertCounts;
  readonly pluginVersion: string | null;
  /** As released, or else of all sites of the same license; null when none reports one. */
  readonly newestPluginVersion: string | null;
}

interface Judgement {
  /** Of the factor's points that the site has: 0 to 1. */
  readonly share: number;
  readonly finding: string;
  readonly remedy: string;
}

export const SITE_FACTOR_IDS = ['open_alerts', 'contact', 'incidents', 'plugin_version'] as const;
export type SiteFactorId = (typeof SITE_FACTOR_IDS)[number];

interface FactorRule {
  readonly id: SiteFactorId;
  readonly pointsMax: number;
  readonly source: string;
  readonly judge: (facts: SiteFacts) => Judgement;
}

/** What each further alert leaves of the points, by severity. */
const LEFT_BY_OPEN_ALERT = { critical: 0.4, high: 0.7 };
const LEFT_BY_INCIDENT = { critical: 0.5, high: 0.8 };

const CONTACT: Readonly<Record<SiteStatus, { share: number; finding: string }>> = {
  active: { share: 1, finding: 'The site reports.' },
  stale: { share: 0.6, finding: 'The site was last heard of more than an hour ago.' },
  silent: {
    share: 0,
    finding: 'The site was last heard of more than a day ago: nobody would see an attack.',
  },
};

/** The factors of the score. The sources lay down the practice; the numbers are our own. */
export const SITE_FACTORS: readonly FactorRule[] = [
  {
    id: 'open_alerts',
    pointsMax: 45,
    source: 'NIST SP 800-61 Rev. 2, section 3.2.6 (prioritise incidents by impact)',
    judge: ({ openAlerts }) => ({
      share: left(LEFT_BY_OPEN_ALERT, openAlerts),
      finding: `Open alerts: ${openAlerts.critical} critical, ${openAlerts.high} high.`,
      remedy: `Resolve the open alerts and report it (an event such as malware_resolved); each closes by itself ${ALERT_OPEN_DAYS} days after it last happened.`,
    }),
  },
  {
    id: 'contact',
    pointsMax: 25,
    source: 'NIST SP 800-137 (information security continuous monitoring)',
    judge: ({ status }) => ({
      ...CONTACT[status],
      remedy: 'Find out why the plugin does not report: deactivated, blocked, or the site is down.',
    }),
  },
  {
    id: 'incidents',
    pointsMax: 20,
    source: 'NIST SP 800-61 Rev. 2, section 3.4 (lessons learned; use of incident data)',
    judge: ({ incidents }) => ({
      share: left(LEFT_BY_INCIDENT, incidents),
      finding: `Alerts of the last ${INCIDENT_DAYS} days, resolved or not: ${incidents.critical} critical, ${incidents.high} high.`,
      remedy: `Close the way in, so that it does not happen again; an alert counts for ${INCIDENT_DAYS} days.`,
    }),
  },
  {
    id: 'plugin_version',
    pointsMax: 10,
    source: 'CIS Controls v8, 7.4 (automated application patch management)',
    judge: judgePlugin,
  },
];

function judgePlugin({ pluginVersion, newestPluginVersion }: SiteFacts): Judgement {
  if (pluginVersion === null) {
    return {
      share: 0,
      finding: 'The site has not told the version of its plugin.',
      remedy: 'Let the plugin send heartbeats with its version.',
    };
  }
  const behind = isOlderVersion(pluginVersion, newestPluginVersion ?? pluginVersion);
  return {
    share: behind ? 0.4 : 1,
    finding: behind
      ? `The plugin is older than the newest version known here, ${versionNumbers(newestPluginVersion ?? '')}.`
      : 'The plugin is of the newest version known here.',
    remedy: 'Update the plugin.',
  };
}

const left = (share: Readonly<Record<'critical' | 'high', number>>, counts: AlertCounts): number =>
  share.critical ** counts.critical * share.high ** counts.high;
