import { WORDS } from '../pages/words.ts';

// Every text of the portal, in English, beside those of all pages.

export const TEXTS = {
  ...WORDS,
  portal: 'Your security',
  signIn: {
    title: 'Sign in',
    key: 'License key',
    submit: 'Sign in',
    about:
      'The key of your license opens its pages for twelve hours. It is sent to this service alone, and never stored here.',
    wrong: 'There is no such key, or it does not work any more. Copy it once more from where you got it.',
  },
  plans: {
    title: (plan: string) => `This needs the plan ${plan}`,
    yours: (plan: string) => `Yours is ${plan}.`,
    opens: (plan: string) => `What ${plan} opens`,
    sites: (count: number) => `${count} sites`,
    nothing: 'No more than you have.',
    ask: 'Ask whoever sold you the license for it.',
    suspended: 'Your license is suspended; until that is lifted, it has the plan free.',
  },
  overview: {
    title: 'Overview',
    next: 'What to do next',
    nothing: 'Nothing: your sites report, and no alert is open.',
    expired: 'Your license has ended',
    expiredWhat:
      'Renew it where you got it. Your sites and what they told are kept, and are here again when it runs.',
    ended: 'Ended',
    suspended: 'Your license is suspended',
    suspendedWhat: 'Ask whoever sold you the license. Until then it has the plan free.',
    endsSoon: 'Your license ends soon',
    endsSoonWhat: 'Renew it in time, so that nothing stops.',
    noSite: 'No site has reported yet',
    noSiteWhat:
      'Install the plugin or the agent on a site and enter your license key there. The site is here within minutes.',
    alerts: (count: number) => (count === 1 ? 'One alert is open' : `${count} alerts are open`),
    alertsWhat: 'Look at the sites that have them:',
    silent: (count: number) => (count === 1 ? 'One site is silent' : `${count} sites are silent`),
    silentWhat: 'Nothing was heard of them for a while. Look whether the plugin still runs there:',
    full: 'Every site of your license is used',
    fullWhat: 'A new site is not protected until another one is released, or the license has more of them.',
    budget: 'Most of what your sites may send today is used up',
    budgetWhat: 'What they send beyond it is refused until midnight UTC.',
    license: 'License',
    state: 'State',
    states: { active: 'active', trial: 'in trial', suspended: 'suspended', expired: 'ended' },
    plan: 'Plan',
    ends: 'Ends',
    never: 'never',
    name: 'Number',
    test: 'For tests only',
    modules: 'Modules',
    seats: 'Sites of the license',
    used: (used: number, allowed: number) => `${used} of ${allowed} used`,
    domains: 'Registered domains',
    noDomains: 'None yet.',
    sites: 'Sites that report',
    active: 'active',
    stale: 'stale',
    silentSites: 'silent',
    openAlerts: 'open alerts',
    today: 'Sent today',
    events: 'Events',
    of: (used: string, allowed: string | undefined) =>
      allowed === undefined ? used : `${used} of ${allowed}`,
  },
  sites: {
    title: 'Sites',
  },
  events: {
    title: 'Events',
  },
  scans: {
    title: 'Scans',
  },
  analysis: {
    title: 'Analysis',
  },
  signals: {
    title: 'Signals and scores',
  },
  evidence: {
    title: 'Evidence',
  },
  api: {
    title: 'API',
  },
} as const;
