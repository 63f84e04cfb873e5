/** @jsxImportSource hono/jsx */
import { PLANS } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Copyable } from '../pages/copy.tsx';
import { Facts } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { Time } from '../pages/time.tsx';
import { ask } from './ask.ts';
import type { Contract } from './first-things.ts';
import { PlanOpens } from './gate.tsx';
import { PlanCard } from './overview-cards.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.license;

/** The page with a license, its usage, and the features of higher plans. */
export const licensePage = (parts: PortalParts) => {
  const { catalog } = parts;
  const show = async (visit: Visit) => {
    const { caller, customer, frame } = visit;
    const { license, standing } = caller;
    const contract = await ask<Contract>(parts, visit, '/me');
    const modules = standing.modules.map(worded);
    const support = frame.brand?.support;
    return showPlace(
      visit,
      PLACES.license,
      <div class="grid">
        <section class="card c8">
          <h2>{WORDS.facts}</h2>
          <Facts
            of={[
              [WORDS.customer, customer],
              [WORDS.number, <Copyable text={licenseName(license.id)} />],
              [WORDS.state, WORDS.states[standing.state]],
              [WORDS.plan, TEXTS.plans.names[standing.plan]],
              [WORDS.ends, standing.expiresAt === null ? WORDS.never : <Time at={standing.expiresAt} />],
              [WORDS.modules, modules.length === 0 ? null : modules.join(', ')],
              [WORDS.support, support === undefined ? null : <a href={support}>{TEXTS.support}</a>],
            ]}
          />
        </section>
        <div class="c4">
          <PlanCard visit={visit} contract={contract} />
        </div>
        {PLANS.slice(PLANS.indexOf(standing.plan) + 1).map((plan) => (
          <PlanOpens plan={plan} catalog={catalog} caller={caller} />
        ))}
      </div>,
    );
  };
  return [getAt(PLACES.license.path, page(parts, show))];
};
