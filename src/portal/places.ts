import type { Plan } from '../domain/license/catalog.ts';
import type { Place } from '../pages/html.tsx';
import { WORDS as REPORTS } from '../pages/report-words.ts';
import { WORDS as NOTIFICATIONS } from './notifications/words.ts';
import { TEXTS } from './texts.ts';

export const HOME = '/portal';

interface PortalPlace extends Place {
  /** The minimum plan for the API routes used by the page. */
  readonly plan: Plan;
  /** The menu entry of which this page is a tab. */
  readonly within?: 'reports' | 'license';
}

/** All pages, in the order of the menu. */
export const PLACES = {
  overview: { path: HOME, words: TEXTS.overview.title, plan: 'free', icon: 'overview' },
  sites: { path: `${HOME}/sites`, words: TEXTS.sites.title, plan: 'starter', icon: 'sites' },
  alerts: { path: `${HOME}/alerts`, words: TEXTS.alerts.title, plan: 'starter', icon: 'alerts' },
  events: { path: `${HOME}/events`, words: TEXTS.events.title, plan: 'starter', icon: 'events' },
  scans: { path: `${HOME}/scans`, words: TEXTS.scans.title, plan: 'starter', icon: 'scans' },
  analysis: { path: `${HOME}/analysis`, words: TEXTS.analysis.title, plan: 'pro', icon: 'check' },
  reports: { path: `${HOME}/reports`, words: REPORTS.title, plan: 'starter', icon: 'reports' },
  signals: {
    path: `${HOME}/signals`,
    words: TEXTS.signals.title,
    plan: 'free',
    icon: 'feed',
    within: 'reports',
  },
  evidence: {
    path: `${HOME}/evidence`,
    words: TEXTS.evidence.title,
    plan: 'pro',
    icon: 'evidence',
    within: 'reports',
  },
  notifications: {
    path: `${HOME}/notifications`,
    words: NOTIFICATIONS.title,
    plan: 'free',
    icon: 'notifications',
    within: 'license',
  },
  api: { path: `${HOME}/api`, words: TEXTS.api.title, plan: 'free', icon: 'developers' },
  license: { path: `${HOME}/license`, words: TEXTS.license.title, plan: 'free', icon: 'licenses' },
} as const satisfies Record<string, PortalPlace>;

const ALL: readonly PortalPlace[] = Object.values(PLACES);

/** The entries of the menu. */
export const MENU: readonly PortalPlace[] = ALL.filter(({ within }) => within === undefined);

/** Returns the menu entry of a page, and all pages of that entry, which are tabs if there are several. */
export function familyOf(at: Place): { readonly parent: Place; readonly members: readonly Place[] } {
  const { within } = ALL.find(({ path }) => path === at.path) ?? {};
  const parent: Place = within === undefined ? at : PLACES[within];
  const tabs = ALL.filter((each) => each.within !== undefined && PLACES[each.within].path === parent.path);
  return { parent, members: [parent, ...tabs] };
}
