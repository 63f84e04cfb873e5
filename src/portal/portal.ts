import { Elysia } from 'elysia';
import type { FailureRules } from '../http/failures.ts';
import { serveAssets } from '../pages/assets.ts';
import { analysisPages } from './analysis.tsx';
import { apiPage } from './api.tsx';
import { eventPages } from './events.tsx';
import { evidencePages } from './evidence.tsx';
import { overviewPage } from './overview.tsx';
import { HOME } from './places.ts';
import { scanPages } from './scans.tsx';
import { ASSETS, refusalPage } from './show-page.tsx';
import { signInPages } from './sign-in.tsx';
import { signalPage } from './signals.tsx';
import { sitePages } from './sites.tsx';
import type { PortalParts } from './visit.ts';

/** The pages of tenants. */
export const portalPages = (parts: PortalParts) =>
  new Elysia()
    .derive(parts.limits.perIp('portal'))
    .use(serveAssets(ASSETS))
    .use(signInPages(parts))
    .use(overviewPage(parts))
    .use(sitePages(parts))
    .use(eventPages(parts))
    .use(scanPages(parts))
    .use(analysisPages(parts))
    .use(signalPage(parts))
    .use(evidencePages(parts))
    .use(apiPage(parts));

/** What shows refusals to tenants, at the paths of the portal. */
export const portalFailures: FailureRules['pageAt'] = (path) =>
  path === HOME || path.startsWith(`${HOME}/`) ? refusalPage : undefined;
