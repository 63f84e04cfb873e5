import type { Role } from '../domain/admin/operator.ts';
import type { Place } from '../pages/html.tsx';
import { WORDS as ALERTS } from './alerts/words.ts';
import { WORDS as CUSTOMERS } from './customers/words.ts';
import { WORDS as FEED } from './feed/words.ts';
import { WORDS as NOTIFICATIONS } from './notifications/words.ts';
import { TEXTS } from './texts.ts';
import { WORDS as VULNERABILITIES } from './vulnerabilities/words.ts';

interface ConsolePlace extends Place {
  /** The minimum role for the page. */
  readonly role: Role;
}

/** All pages of the menu, in its order. */
export const PLACES = {
  overview: { path: '/console', words: TEXTS.overview.title, role: 'viewer', icon: 'overview' },
  customers: {
    path: '/console/customers',
    words: CUSTOMERS.title,
    role: 'support',
    icon: 'customers',
    group: TEXTS.groups.customers,
  },
  licenses: {
    path: '/console/licenses',
    words: TEXTS.licenses.title,
    role: 'viewer',
    icon: 'licenses',
    group: TEXTS.groups.customers,
  },
  sites: {
    path: '/console/sites',
    words: TEXTS.sites.title,
    role: 'viewer',
    icon: 'sites',
    group: TEXTS.groups.customers,
  },
  alerts: {
    path: '/console/alerts',
    words: ALERTS.title,
    role: 'viewer',
    icon: 'alerts',
    group: TEXTS.groups.security,
  },
  events: {
    path: '/console/events',
    words: TEXTS.events.title,
    role: 'viewer',
    icon: 'events',
    group: TEXTS.groups.security,
  },
  vulnerabilities: {
    path: '/console/vulnerabilities',
    words: VULNERABILITIES.title,
    role: 'viewer',
    icon: 'vulnerabilities',
    group: TEXTS.groups.security,
  },
  feed: {
    path: '/console/feed',
    words: FEED.title,
    role: 'viewer',
    icon: 'feed',
    group: TEXTS.groups.security,
  },
  payments: {
    path: '/console/payments',
    words: TEXTS.payments.title,
    role: 'viewer',
    icon: 'payments',
    group: TEXTS.groups.system,
  },
  notifications: {
    path: '/console/notifications',
    words: NOTIFICATIONS.title,
    role: 'viewer',
    icon: 'notifications',
    group: TEXTS.groups.system,
  },
  backups: {
    path: '/console/backups',
    words: TEXTS.backups.place,
    role: 'support',
    icon: 'backups',
    group: TEXTS.groups.system,
  },
  audit: {
    path: '/console/audit',
    words: TEXTS.audit.title,
    role: 'support',
    icon: 'audit',
    group: TEXTS.groups.system,
  },
  operators: {
    path: '/console/operators',
    words: TEXTS.operators.title,
    role: 'owner',
    icon: 'operators',
    group: TEXTS.groups.system,
  },
  tokens: {
    path: '/console/tokens',
    words: TEXTS.tokens.title,
    role: 'owner',
    icon: 'tokens',
    group: TEXTS.groups.system,
  },
  settings: {
    path: '/console/settings',
    words: TEXTS.settings.title,
    role: 'support',
    icon: 'settings',
    group: TEXTS.groups.system,
  },
} as const satisfies Record<string, ConsolePlace>;
