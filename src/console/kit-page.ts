import { getAt } from '../http/route/endpoint.ts';
import { page, type VisitParts } from './visit.ts';

// build.ts replaces it by a constant. The compiler then removes the page and its components, which it would not do for a constant of
// another file.
declare const REDOUBT_VERSION: string | undefined;

/** All components on one page, for those who change them. Only the source has it; no executable does. */
export const kitPage = (parts: VisitParts) =>
  typeof REDOUBT_VERSION === 'undefined'
    ? [
        getAt(
          '/console/_kit',
          page(parts, 'viewer', async (visit) => (await import('./kit.tsx')).showKit(visit)),
        ),
      ]
    : [];
