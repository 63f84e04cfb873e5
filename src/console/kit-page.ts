import { getAt } from '../http/route/endpoint.ts';
import { page, type VisitParts } from './visit.ts';

// build.ts replaces it with a constant, so that the compiler removes the page and its components. It would not do that for a
// constant imported from another file.
declare const REDOUBT_VERSION: string | undefined;

/** A page with all components, for developers. It exists only when running from source, not in executables. */
export const kitPage = (parts: VisitParts) =>
  typeof REDOUBT_VERSION === 'undefined'
    ? [
        getAt(
          '/console/_kit',
          page(parts, 'viewer', async (visit) => (await import('./kit.tsx')).showKit(visit)),
        ),
      ]
    : [];
