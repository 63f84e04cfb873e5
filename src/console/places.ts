import type { Role } from '../domain/admin/operator.ts';
import type { Place } from '../pages/html.tsx';
import { TEXTS } from './texts.ts';

interface ConsolePlace extends Place {
  /** Who may see it. */
  readonly role: Role;
}

/** In the order of how often they are needed. */
export const PLACES = {
  now: { path: '/console', words: TEXTS.now.title, role: 'viewer' },
  licenses: { path: '/console/licenses', words: TEXTS.licenses.title, role: 'viewer' },
  sites: { path: '/console/sites', words: TEXTS.sites.title, role: 'viewer' },
  alerts: { path: '/console/alerts', words: TEXTS.alerts.title, role: 'viewer' },
  feed: { path: '/console/feed', words: TEXTS.feed.title, role: 'viewer' },
  vulnerabilities: { path: '/console/vulnerabilities', words: TEXTS.vulnerabilities.title, role: 'viewer' },
  payments: { path: '/console/payments', words: TEXTS.payments.title, role: 'viewer' },
  backups: { path: '/console/backups', words: TEXTS.backups.place, role: 'operator' },
  settings: { path: '/console/settings', words: TEXTS.settings.title, role: 'operator' },
  audit: { path: '/console/audit', words: TEXTS.audit.title, role: 'operator' },
  tokens: { path: '/console/tokens', words: TEXTS.tokens.title, role: 'owner' },
  operators: { path: '/console/operators', words: TEXTS.operators.title, role: 'owner' },
} as const satisfies Record<string, ConsolePlace>;
