/** @jsxImportSource hono/jsx */
import { reachesPlan } from '../domain/license/catalog.ts';
import { Gate } from './gate.tsx';
import type { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import type { PortalParts, Visit } from './visit.ts';

/** Wraps a handler of a page that requires a plan. Other tenants see the plan that they need. */
export const gated =
  <More extends readonly unknown[]>(
    { catalog }: Pick<PortalParts, 'catalog'>,
    place: (typeof PLACES)[keyof typeof PLACES],
    show: (visit: Visit, ...more: More) => Promise<Response>,
  ) =>
  async (visit: Visit, ...more: More): Promise<Response> => {
    const { caller } = visit;
    if (reachesPlan(caller.standing.plan, place.plan)) return show(visit, ...more);
    const children = <Gate plan={place.plan} catalog={catalog} caller={caller} />;
    return showPlace(visit, place, children, { refused: 'PLAN_REQUIRED' });
  };
