import { counted } from '../lib/counted.ts';

// Texts of the monthly report, in English.

export const WORDS = {
  title: 'Reports',
  of: (month: string) => `Security report, ${month}`,
  soFar: (day: string) => `up to ${day}`,
  month: 'Month',
  site: 'Site',
  allSites: 'all sites',
  print: 'Print or save as PDF',
  lowest: 'Lowest score now',
  attacks: 'Security events',
  before: (count: string) => `${count} in the month before`,
  alerts: 'Alerts',
  stillOpen: (count: number) => (count === 0 ? 'all closed' : `${count.toLocaleString('en')} still open`),
  vulnerabilities: 'Open vulnerabilities now',
  fixed: (count: number) =>
    count > 0 ? `${count.toLocaleString('en')} fewer than at the first assessment` : '',
  days: 'Security events per day (UTC)',
  day: 'Day',
  sites: 'Sites',
  siteColumns: {
    site: 'Site',
    score: 'Score now',
    events: 'Events',
    alerts: 'Open alerts',
    vulnerabilities: 'Vulnerabilities',
    assessment: 'Assessment',
    badge: 'Badge',
  },
  alertColumns: { site: 'Site', alert: 'Alert', severity: 'Severity', last: 'Last event', open: 'Open for' },
  badges: { off: 'off', assessed: 'shown', not_current: 'not current' },
  unknown: 'unknown',
  notAssessed: 'none',
  grade: (grade: string, day: string) => `${grade} on ${day}`,
  isOpen: 'still open',
  noAlerts: 'No alert was open in this month.',
  noSites: 'No site has reported yet.',
  moreSites: (count: number) => `${counted(count, 'more site')} with higher scores.`,
  moreAlerts: (count: number) => `${counted(count, 'older alert')} not listed.`,
  hours: (hours: number) =>
    hours < 1 ? 'under 1 h' : hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`,
  further: 'more, no longer stored one by one',
  about:
    'Scores, vulnerabilities and badges are as of now. Events are counted by the day on which they occurred, while they are stored. Alerts count from their last event until the site reported them resolved, at most seven days.',
  malformed: 'There is no report of this month. Choose another one.',
} as const;
