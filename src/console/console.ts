import type { AdminLimits } from '../http/admin-limits.ts';
import { complete } from '../http/context.ts';
import type { FailureRules } from '../http/failures.ts';
import { behind, getAt } from '../http/route/endpoint.ts';
import type { Endpoint } from '../http/route/route.ts';
import type { ArgumentOf } from '../lib/argument-of.ts';
import { createCustomerList } from '../operator/customers.ts';
import { serveAssets } from '../pages/assets.ts';
import { accountPages } from './account.tsx';
import { alertPages } from './alerts/pages.tsx';
import { auditPages } from './audit.tsx';
import { backupPages } from './backups.tsx';
import { customerPages } from './customers/pages.ts';
import { eventPages } from './events.tsx';
import { feedPages } from './feed/pages.tsx';
import { kitPage } from './kit-page.ts';
import { licensePage } from './license/page.tsx';
import { importPages } from './licenses/import.tsx';
import { licensePages } from './licenses/list.tsx';
import { newLicensePages } from './licenses/new.tsx';
import { createMarks, type HasMarks } from './marks.ts';
import { notificationPages } from './notifications/pages.tsx';
import { oidcPages } from './oidc.tsx';
import { operatorPages } from './operators.tsx';
import { overviewPage } from './overview.tsx';
import { paymentPages } from './payments.tsx';
import { searchPages } from './search.tsx';
import { settingsPage } from './settings.tsx';
import { ASSETS, refusalPage } from './show-page.tsx';
import { signInPages } from './sign-in.tsx';
import { sitePage } from './site/page.tsx';
import { sitesPage } from './sites.tsx';
import { tokenPages } from './tokens.tsx';
import { type HasCustomers, tokenOf } from './visit.ts';
import { componentPages } from './vulnerabilities/component.tsx';
import { vulnerabilitiesPage } from './vulnerabilities/page.tsx';

const PAGES = [
  signInPages,
  oidcPages,
  overviewPage,
  searchPages,
  customerPages,
  licensePages,
  newLicensePages,
  importPages,
  licensePage,
  sitesPage,
  sitePage,
  alertPages,
  eventPages,
  feedPages,
  vulnerabilitiesPage,
  componentPages,
  paymentPages,
  notificationPages,
  backupPages,
  settingsPage,
  auditPages,
  tokenPages,
  operatorPages,
  accountPages,
  kitPage,
];

export type ConsoleParts = Omit<ArgumentOf<(typeof PAGES)[number]>, keyof (HasCustomers & HasMarks)> & {
  readonly limits: Pick<AdminLimits, 'perPage'>;
};

/** Returns all pages of the console. */
export const consolePages = (given: ConsoleParts): Endpoint[] => {
  const parts = { ...given, customers: createCustomerList(given.db, given.clock), marks: createMarks(given) };
  return behind(
    parts.limits.perPage((request) => tokenOf(parts, request)),
    [
      getAt('/', async ({ set }) => {
        set.headers.location = '/console';
        return complete(set, 302, null);
      }),
      ...serveAssets(ASSETS),
      ...PAGES.flatMap((pages) => pages(parts)),
    ],
  );
};

/** Renders refusals below the path of the console. */
export const consoleFailures: FailureRules['pageAt'] = (path) =>
  path === '/console' || path.startsWith('/console/') ? refusalPage : undefined;
