import type { Plan } from '../domain/license/catalog.ts';
import type { Place } from '../pages/html.tsx';
import { WORDS as REPORTS } from '../pages/report-words.ts';
import { WORDS as NOTIFICATIONS } from './notifications/words.ts';
import { TEXTS } from './texts.ts';

export const HOME = '/portal';

interface PortalPlace extends Place {
  /** The least plan whose API answers what the page shows. */
  readonly plan: Plan;
}

/** In the order in which they are listed. */
export const PLACES = {
  overview: { path: HOME, words: TEXTS.overview.title, plan: 'free', icon: 'overview' },
  sites: { path: `${HOME}/sites`, words: TEXTS.sites.title, plan: 'starter', icon: 'sites' },
  alerts: { path: `${HOME}/alerts`, words: TEXTS.alerts.title, plan: 'starter', icon: 'alerts' },
  events: { path: `${HOME}/events`, words: TEXTS.events.title, plan: 'starter', icon: 'events' },
  scans: { path: `${HOME}/scans`, words: TEXTS.scans.title, plan: 'starter', icon: 'scans' },
  analysis: { path: `${HOME}/analysis`, words: TEXTS.analysis.title, plan: 'pro', icon: 'check' },
  reports: { path: `${HOME}/reports`, words: REPORTS.title, plan: 'starter', icon: 'reports' },
  signals: { path: `${HOME}/signals`, words: TEXTS.signals.title, plan: 'free', icon: 'feed' },
  evidence: { path: `${HOME}/evidence`, words: TEXTS.evidence.title, plan: 'pro', icon: 'evidence' },
  notifications: {
    path: `${HOME}/notifications`,
    words: NOTIFICATIONS.title,
    plan: 'free',
    icon: 'notifications',
  },
  api: { path: `${HOME}/api`, words: TEXTS.api.title, plan: 'free', icon: 'developers' },
  license: { path: `${HOME}/license`, words: TEXTS.license.title, plan: 'free', icon: 'licenses' },
} as const satisfies Record<string, PortalPlace>;
