import { Elysia } from 'elysia';
import { complete, type HookContext } from '../http/context.ts';
import type { FailureRules } from '../http/failures.ts';
import { serveAssets } from '../pages/assets.ts';
import { accountPages } from './account.tsx';
import { alertPages } from './alerts.tsx';
import { auditPages } from './audit.tsx';
import { backupPages } from './backups.tsx';
import { customerPages } from './customers/pages.ts';
import { eventPages } from './events.tsx';
import { feedPages } from './feed.tsx';
import { licensePage } from './license/page.tsx';
import { newLicensePages } from './license-new.tsx';
import { licensePages } from './licenses.tsx';
import { operatorPages } from './operators.tsx';
import { overviewPage } from './overview.tsx';
import { paymentPages } from './payments.tsx';
import { settingsPage } from './settings.tsx';
import { ASSETS, refusalPage } from './show-page.tsx';
import { signInPages } from './sign-in.tsx';
import { sitesPage } from './sites.tsx';
import { tokenPages } from './tokens.tsx';
import { type ConsoleParts, tokenOf } from './visit.ts';
import { vulnerabilitiesPage } from './vulnerabilities.tsx';

/** The pages of operators. */
export const consolePages = (parts: ConsoleParts) =>
  new Elysia()
    .derive(parts.limits.perPage((request) => tokenOf(parts, request)))
    .get('/', async ({ set }) => {
      set.headers.location = '/console';
      return complete(set as HookContext['set'], 302, null);
    })
    .use(serveAssets(ASSETS))
    .use(signInPages(parts))
    .use(overviewPage(parts))
    .use(customerPages(parts))
    .use(licensePages(parts))
    .use(newLicensePages(parts))
    .use(licensePage(parts))
    .use(sitesPage(parts))
    .use(alertPages(parts))
    .use(eventPages(parts))
    .use(feedPages(parts))
    .use(vulnerabilitiesPage(parts))
    .use(paymentPages(parts))
    .use(backupPages(parts))
    .use(settingsPage(parts))
    .use(auditPages(parts))
    .use(tokenPages(parts))
    .use(operatorPages(parts))
    .use(accountPages(parts));

/** What shows refusals to operators, at the paths of the console. */
export const consoleFailures: FailureRules['pageAt'] = (path) =>
  path === '/console' || path.startsWith('/console/') ? refusalPage : undefined;
