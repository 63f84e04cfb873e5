import type { Plan } from '../domain/license/catalog.ts';
import type { Place } from '../pages/html.tsx';
import { TEXTS } from './texts.ts';

export const HOME = '/portal';

interface PortalPlace extends Place {
  /** The least plan whose API answers what the page shows. */
  readonly plan: Plan;
}

/** In the order of how often they are needed. */
export const PLACES = {
  overview: { path: HOME, words: TEXTS.overview.title, plan: 'free' },
  sites: { path: `${HOME}/sites`, words: TEXTS.sites.title, plan: 'starter' },
  events: { path: `${HOME}/events`, words: TEXTS.events.title, plan: 'starter' },
  scans: { path: `${HOME}/scans`, words: TEXTS.scans.title, plan: 'starter' },
  analysis: { path: `${HOME}/analysis`, words: TEXTS.analysis.title, plan: 'pro' },
  signals: { path: `${HOME}/signals`, words: TEXTS.signals.title, plan: 'free' },
  evidence: { path: `${HOME}/evidence`, words: TEXTS.evidence.title, plan: 'pro' },
  api: { path: `${HOME}/api`, words: TEXTS.api.title, plan: 'free' },
} as const satisfies Record<string, PortalPlace>;
