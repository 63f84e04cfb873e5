// Texts shared by all pages, in English.

export const WORDS = {
  support: 'Contact support',
  skip: 'Skip to content',
  nav: 'Pages',
  menu: 'Menu',
  copy: 'Copy',
  /** `<value>=<text of the button>`. */
  zones: ['local=Times: local', 'utc=Times: UTC'],
  themes: ['system=Theme: system', 'light=Theme: light', 'dark=Theme: dark'],
  signOut: 'Sign out',
  more: 'Next page',
  none: 'any',
  filter: 'Apply',
  csv: 'Download as CSV',
  tooManyDownloads: 'Ten downloads are running. Wait until one of them has ended, then try again.',
  tooManyOwnDownloads: 'Two of your downloads are running. Wait until one of them has ended, then try again.',
  back: 'Back',
  failed: 'Something went wrong',
  table: 'Show as table',
  siteStates: { active: 'active', stale: 'stale', silent: 'silent' },
  factors: {
    title: 'Score',
    columns: ['Factor', 'Points', 'Found', 'To raise it', 'Based on'],
    names: {
      open_alerts: 'Open alerts',
      contact: 'Contact',
      incidents: 'Alerts in the last 30 days',
      vulnerabilities: 'Known vulnerabilities',
      plugin_version: 'Plugin version',
    },
    points: (points: number, most: number) => `${points} of ${most}`,
    nothingToDo: 'nothing to do',
  },
} as const;
