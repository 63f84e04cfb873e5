import { isOlderVersion, versionNumbers } from '../../lib/version-order.ts';
import { ALERT_OPEN_DAYS, INCIDENT_DAYS } from './alerts.ts';
import type { SiteStatus } from './site-status.ts';

export interface AlertCounts {
  readonly critical: number;
  readonly high: number;
}

/** Findings in a site's components, by what CISA's table decides about each. */
export interface VulnerabilityCounts {
  readonly act: number;
  readonly attend: number;
  readonly other: number;
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
  /** Null = not known: the site reports no components, or no vulnerability data is imported. */
  readonly vulnerabilities: VulnerabilityCounts | null;
}

interface Judgement {
  /** Of the factor's points that the site has: 0 to 1. */
  readonly share: number;
  readonly finding: string;
  readonly remedy: string;
}

export const SITE_FACTOR_IDS = [
  'open_alerts',
  'contact',
  'vulnerabilities',
  'incidents',
  'plugin_version',
] as const;
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
const LEFT_BY_VULNERABILITY = { act: 0.3, attend: 0.6, other: 0.95 };
/** The highest score with an open vulnerability of a decision. */
const SCORE_MAX_WITH = { act: 49, attend: 69 } as const;

const CONTACT: Readonly<Record<SiteStatus, { share: number; finding: string }>> = {
  active: { share: 1, finding: 'The site is reporting.' },
  stale: { share: 0.6, finding: 'The site last reported more than an hour ago.' },
  silent: {
    share: 0,
    finding: 'The site last reported more than a day ago: an attack would go unnoticed.',
  },
};

/** The factors of the score. The sources lay down the practice; the numbers are our own. */
export const SITE_FACTORS: readonly FactorRule[] = [
  {
    id: 'open_alerts',
    pointsMax: 36,
    source: 'NIST SP 800-61 Rev. 2, section 3.2.6 (prioritise incidents by impact)',
    judge: ({ openAlerts }) => ({
      share: left(LEFT_BY_OPEN_ALERT, openAlerts),
      finding: `Open alerts: ${openAlerts.critical} critical, ${openAlerts.high} high.`,
      remedy: `Resolve the open alerts. Each closes when the site reports it as resolved, or ${ALERT_OPEN_DAYS} days after its last event.`,
    }),
  },
  {
    id: 'contact',
    pointsMax: 20,
    source: 'NIST SP 800-137 (information security continuous monitoring)',
    judge: ({ status }) => ({
      ...CONTACT[status],
      remedy: 'Find out why the plugin does not report: it is deactivated or blocked, or the site is down.',
    }),
  },
  {
    id: 'vulnerabilities',
    pointsMax: 20,
    source: 'CISA, Stakeholder-Specific Vulnerability Categorization Guide (2022); BOD 22-01',
    judge: judgeVulnerabilities,
  },
  {
    id: 'incidents',
    pointsMax: 16,
    source: 'NIST SP 800-61 Rev. 2, section 3.4 (lessons learned; use of incident data)',
    judge: ({ incidents }) => ({
      share: left(LEFT_BY_INCIDENT, incidents),
      finding: `Alerts of the last ${INCIDENT_DAYS} days, resolved or not: ${incidents.critical} critical, ${incidents.high} high.`,
      remedy: `Fix the cause, so that it does not happen again. An alert counts for ${INCIDENT_DAYS} days.`,
    }),
  },
  {
    id: 'plugin_version',
    pointsMax: 8,
    source: 'CIS Controls v8, 7.4 (automated application patch management)',
    judge: judgePlugin,
  },
];

/** The highest score that a site can have with its open vulnerabilities; 100 without urgent ones. */
export function scoreLimit({ vulnerabilities }: Pick<SiteFacts, 'vulnerabilities'>): number {
  if (vulnerabilities === null) return 100;
  if (vulnerabilities.act > 0) return SCORE_MAX_WITH.act;
  return vulnerabilities.attend > 0 ? SCORE_MAX_WITH.attend : 100;
}

function judgeVulnerabilities({ vulnerabilities }: SiteFacts): Judgement {
  if (vulnerabilities === null) {
    return { share: 1, finding: 'Unknown: no components were reported or checked.', remedy: '' };
  }
  const { act, attend, other } = vulnerabilities;
  const limit = scoreLimit({ vulnerabilities });
  const limited = limit < 100 ? ` The score is limited to ${limit} until these are fixed.` : '';
  return {
    share:
      LEFT_BY_VULNERABILITY.act ** act *
      LEFT_BY_VULNERABILITY.attend ** attend *
      LEFT_BY_VULNERABILITY.other ** other,
    finding: `Open vulnerabilities: ${act} to fix immediately, ${attend} to fix soon, ${other} others.${limited}`,
    remedy: 'Update the vulnerable components, most urgent first.',
  };
}

function judgePlugin({ pluginVersion, newestPluginVersion }: SiteFacts): Judgement {
  if (pluginVersion === null) {
    return {
      share: 0,
      finding: 'The site has not reported the version of its plugin.',
      remedy: 'Have the plugin send heartbeats with its version.',
    };
  }
  const behind = isOlderVersion(pluginVersion, newestPluginVersion ?? pluginVersion);
  return {
    share: behind ? 0.4 : 1,
    finding: behind
      ? `The plugin is older than the newest known version, ${versionNumbers(newestPluginVersion ?? '')}.`
      : 'The plugin is the newest known version.',
    remedy: 'Update the plugin.',
  };
}

const left = (share: Readonly<Record<'critical' | 'high', number>>, counts: AlertCounts): number =>
  share.critical ** counts.critical * share.high ** counts.high;
