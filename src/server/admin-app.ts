import { type ConsoleParts, consoleFailures, consolePages } from '../console/console.ts';
import type { AdminLimits } from '../http/admin-limits.ts';
import { type FoundationParts, onFoundation } from '../http/foundation.ts';
import { endpointsOf, type PartsOf } from '../http/route/route.ts';
import { loadOnce } from '../lib/load-once.ts';
import type { Served } from '../runtime/listener.ts';
import { ADMIN_ROUTES } from './admin-routes.ts';
import { awayRefusal } from './away-refusal.ts';
import { describeAdminContract } from './describe-contract.ts';

export type AdminAppParts = Omit<PartsOf<typeof ADMIN_ROUTES>, 'document'> &
  ConsoleParts & { readonly limits: AdminLimits } & Omit<
    FoundationParts,
    'flatPaths' | 'awayRefusal' | 'pageAt' | 'countUnknownPath' | 'showLimits'
  >;

/** Creates the app of the admin listener: admin API and console. */
export function createAdminApp(parts: AdminAppParts): Served {
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
    [
      ...consolePages(parts),
      ...endpointsOf(ADMIN_ROUTES, { ...parts, document: loadOnce(describeAdminContract) }),
    ],
  );
}
