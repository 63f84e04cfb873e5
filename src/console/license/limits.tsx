/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { HOLDS } from '../../domain/license/license.ts';
import { planShown } from '../../domain/license/license-filter.ts';
import { capitalized } from '../../lib/capitalized.ts';
import type { Explanation } from '../../operator/explain-license.ts';
import { shownKey } from '../../operator/shown-license.ts';
import { Facts, volume, whole } from '../../pages/html.tsx';
import { worded } from '../../pages/identifier-words.ts';
import { Time } from '../../pages/time.tsx';
import { Usage } from '../../pages/usage.tsx';
import { StateBadge } from '../licenses/table.tsx';
import { HOLD_WORDS, WORDS } from './words.ts';

const { facts } = WORDS;
const moment = (at: number | null) => (at === null ? null : <Time at={at} />);
const modules = (all: readonly string[]) => (all.length === 0 ? null : all.map(worded).join(', '));

/** The terms of a license, its limits and its modules. */
export const LimitsTab = ({ explanation }: { readonly explanation: Explanation }) => {
  const { license, standing, sites, previousKey, budget, stored, routes } = explanation;
  const granted = license.operatorTerms ? license : license.granted;
  const holds = HOLDS.filter((hold) => license.holds.includes(hold) || license.paymentHolds.includes(hold));
  return (
    <div class="grid">
      <section class="card c6">
        <h2>{WORDS.terms}</h2>
        <Facts
          of={[
            [facts.state, <StateBadge state={standing.state} />],
            [facts.suspended, holds.length === 0 ? null : holds.map((hold) => HOLD_WORDS[hold]).join(', ')],
            [facts.pastDue, moment(license.paymentHoldFrom)],
            [facts.plan, capitalized(planShown(license, standing))],
            [facts.kind, capitalized(license.kind)],
            [facts.environment, WORDS.environments[license.environment]],
            [facts.sites, WORDS.sitesOf(sites.used, sites.allowed)],
            [facts.ends, moment(standing.expiresAt) ?? WORDS.never],
            [facts.granted, granted && capitalized(granted.plan)],
            [facts.grantedUntil, granted && (moment(granted.expiresAt) ?? WORDS.never)],
            [facts.issued, moment(license.createdAt)],
            [facts.revoked, moment(license.revokedAt)],
          ]}
        />
      </section>
      <section class="card c6">
        <h2>{WORDS.volume}</h2>
        <Usage name={WORDS.events} used={stored.events} limit={budget.events} shown={whole} />
        <Usage name={WORDS.stored} used={stored.bytes} limit={budget.bytes} shown={volume} />
        {routes.map(({ route, used, allowed }) => (
          <Usage name={worded(route)} used={used} limit={allowed} shown={whole} />
        ))}
      </section>
      <section class="card c6">
        <h2>{WORDS.modules}</h2>
        <Facts
          of={[
            [WORDS.modulesNow, modules(standing.modules) ?? WORDS.noModules],
            [facts.added, modules([...license.modulesAllowed, ...(license.granted?.modulesAllowed ?? [])])],
            [facts.removed, modules(license.modulesDenied)],
          ]}
        />
      </section>
      <section class="card c6">
        <h2>{WORDS.keys}</h2>
        <Facts
          of={[
            [facts.key, shownKey(license)],
            [
              facts.previousKey,
              previousKey && (
                <Fragment>
                  {`${shownKey(previousKey)}, ${facts.worksUntil} `}
                  <Time at={previousKey.worksUntil} />
                </Fragment>
              ),
            ],
          ]}
        />
      </section>
    </div>
  );
};
