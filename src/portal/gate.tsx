/** @jsxImportSource hono/jsx */
import { type Catalog, PLANS, type Plan } from '../domain/license/catalog.ts';
import { sitesOf } from '../domain/license/license.ts';
import type { Caller } from '../http/context.ts';
import { whole } from '../pages/html.tsx';
import { TEXTS } from './texts.ts';

const WORDS = TEXTS.plans;

/** The modules and sites that a plan adds to those of a license. */
export function PlanOpens({
  plan,
  catalog,
  caller: { license, standing },
}: {
  readonly plan: Plan;
  readonly catalog: Catalog;
  readonly caller: Caller;
}) {
  // A site limit set for this license overrides that of every plan.
  const { sitesOverride } = license.granted ?? license;
  const sitesAllowed = sitesOf({ plan, sitesOverride }, catalog);
  const opened = catalog[plan].modules.filter(
    (module) => !standing.modules.includes(module) && !license.modulesDenied.includes(module),
  );
  const hasMoreSites = sitesAllowed > standing.sitesAllowed;
  return (
    <section class="card">
      <h2>{WORDS.opens(plan)}</h2>
      {opened.length === 0 && !hasMoreSites ? (
        <p>{WORDS.nothing}</p>
      ) : (
        <ul>
          {hasMoreSites ? <li>{WORDS.sites(whole(sitesAllowed))}</li> : null}
          {opened.map((module) => (
            <li>{module.replaceAll('_', ' ')}</li>
          ))}
        </ul>
      )}
      <p class="quiet">{WORDS.ask}</p>
    </section>
  );
}

/** Returns the next higher plan; undefined for the highest. */
export const nextPlan = (plan: Plan): Plan | undefined => PLANS[PLANS.indexOf(plan) + 1];

/** Shown instead of a page that the plan does not include. */
export const Gate = (props: { readonly plan: Plan; readonly catalog: Catalog; readonly caller: Caller }) => (
  <div>
    <p class="notice warn">
      <strong>{WORDS.title(props.plan)}</strong>
      {props.caller.standing.state === 'suspended'
        ? WORDS.suspended
        : WORDS.yours(props.caller.standing.plan)}
    </p>
    <div class="cards">
      <PlanOpens {...props} />
    </div>
  </div>
);
