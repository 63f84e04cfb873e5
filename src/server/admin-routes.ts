import { alertActRoutes } from '../acts/alerts/routes.ts';
import { feedActRoutes } from '../acts/feed/routes.ts';
import { licenseActRoutes } from '../acts/licenses/routes.ts';
import { notificationActRoutes } from '../acts/notifications/routes.ts';
import { paymentActRoute } from '../acts/payments/routes.ts';
import { below } from '../http/route/route.ts';
import { alerts } from '../routes/admin/alerts.ts';
import { audit } from '../routes/admin/audit.ts';
import { ADMIN_BASE } from '../routes/admin/contract.ts';
import { feed } from '../routes/admin/feed.ts';
import { licenseExplain } from '../routes/admin/license-explain.ts';
import { licenseFind } from '../routes/admin/license-find.ts';
import { licenseImport } from '../routes/admin/license-import.ts';
import { licenses } from '../routes/admin/licenses.ts';
import { notifications } from '../routes/admin/notifications.ts';
import { openapi } from '../routes/admin/openapi.ts';
import { paymentProblems } from '../routes/admin/payment-problems.ts';
import { status } from '../routes/admin/status.ts';

/** The operations of the admin API, in reading order. */
export const ADMIN_ROUTES = below(ADMIN_BASE, [
  openapi,
  ...licenses,
  licenseFind,
  ...licenseExplain,
  licenseImport,
  ...licenseActRoutes,
  ...feed,
  ...feedActRoutes,
  alerts,
  ...alertActRoutes,
  audit,
  status,
  paymentProblems,
  paymentActRoute,
  ...notifications,
  ...notificationActRoutes,
]);
