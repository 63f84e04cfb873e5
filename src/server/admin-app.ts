import { Elysia } from 'elysia';
import { alertActRoutes } from '../acts/alerts/routes.ts';
import { feedActRoutes } from '../acts/feed/routes.ts';
import { licenseActRoutes } from '../acts/licenses/routes.ts';
import { paymentActRoutes } from '../acts/payments/routes.ts';
import { consoleFailures, consolePages } from '../console/console.ts';
import type { ConsoleParts } from '../console/visit.ts';
import { describeApi } from '../http/contract/openapi.ts';
import { type FoundationParts, onFoundation } from '../http/foundation.ts';
import { alerts } from '../routes/admin/alerts.ts';
import { audit } from '../routes/admin/audit.ts';
import { ADMIN_API, ADMIN_BASE } from '../routes/admin/contract.ts';
import { feed } from '../routes/admin/feed.ts';
import { licenseExplain } from '../routes/admin/license-explain.ts';
import { licenseFind } from '../routes/admin/license-find.ts';
import { licenseImport } from '../routes/admin/license-import.ts';
import { licenses } from '../routes/admin/licenses.ts';
import { openapi } from '../routes/admin/openapi.ts';
import type { AdminParts } from '../routes/admin/parts.ts';
import { paymentProblems } from '../routes/admin/payment-problems.ts';
import { status } from '../routes/admin/status.ts';
import type { Served } from '../runtime/listener.ts';
import { awayRefusal } from './away-refusal.ts';

export type AdminAppParts = AdminParts &
  ConsoleParts &
  Omit<FoundationParts, 'flatPaths' | 'awayRefusal' | 'pageAt' | 'countUnknownPath' | 'showLimits'>;

/** What operators and their programs ask, on a listener of its own, as one function from request to response. */
export function createAdminApp(parts: AdminAppParts): Served {
  let described: Promise<object> | undefined;
  const document = () => {
    described ??= describeApi(api, ADMIN_API, '/');
    return described;
  };

  const api = new Elysia({ prefix: ADMIN_BASE })
    .use(openapi(parts, document))
    .use(licenses(parts))
    .use(licenseFind(parts))
    .use(licenseExplain(parts))
    .use(licenseImport(parts))
    .use(licenseActRoutes(parts))
    .use(feed(parts))
    .use(feedActRoutes(parts))
    .use(alerts(parts))
    .use(alertActRoutes(parts))
    .use(audit(parts))
    .use(status(parts))
    .use(paymentProblems(parts))
    .use(paymentActRoutes(parts));

  const { limits } = parts;
  return onFoundation(
    {
      ...parts,
      flatPaths: {},
      awayRefusal,
      pageAt: consoleFailures,
      countUnknownPath: limits.countUnknownPath,
      showLimits: limits.peek,
    },
    [consolePages(parts), api],
  );
}
