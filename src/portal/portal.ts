import type { Brand } from '../domain/brand/brand.ts';
import type { FailureRules } from '../http/failures.ts';
import { behind } from '../http/route/endpoint.ts';
import { serveAssets } from '../pages/assets.ts';
import { refusalPageOf } from '../pages/html.tsx';
import { alertsPage } from './alerts.tsx';
import { analysisPages } from './analysis.tsx';
import { apiPage } from './api.tsx';
import { eventPages } from './events.tsx';
import { evidencePages } from './evidence.tsx';
import { licensePage } from './license.tsx';
import { notificationPages } from './notifications/pages.tsx';
import { overviewPage } from './overview.tsx';
import { HOME } from './places.ts';
import { reportPage } from './reports.tsx';
import { scanPages } from './scans.tsx';
import { frameOf } from './show-page.tsx';
import { signInPages } from './sign-in.tsx';
import { signalPage } from './signals.tsx';
import { sitePages } from './sites.tsx';
import type { PortalParts } from './visit.ts';

/** Returns all pages of the portal. */
export function portalPages(given: Omit<PortalParts, 'frame'> & { readonly brand: Brand }) {
  const parts = { ...given, frame: frameOf(given.brand) };
  return behind(parts.limits.perIp('portal'), [
    ...serveAssets(parts.frame.assets),
    ...signInPages(parts),
    ...overviewPage(parts),
    ...sitePages(parts),
    ...alertsPage(parts),
    ...eventPages(parts),
    ...scanPages(parts),
    ...analysisPages(parts),
    ...reportPage(parts),
    ...signalPage(parts),
    ...evidencePages(parts),
    ...notificationPages(parts),
    ...apiPage(parts),
    ...licensePage(parts),
  ]);
}

/** Renders refusals below the path of the portal. */
export const portalFailures = (brand: Brand): NonNullable<FailureRules['pageAt']> => {
  const refusalPage = refusalPageOf(frameOf(brand));
  return (path) => (path === HOME || path.startsWith(`${HOME}/`) ? refusalPage : undefined);
};
