/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { type Child, Fragment } from 'hono/jsx';
import { reachesPlan } from '../domain/license/catalog.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { KIB } from '../http/context.ts';
import { DAY_MS } from '../lib/clock.ts';
import { Facts, whole } from '../pages/html.tsx';
import { Time } from '../pages/time.tsx';
import type { Snapshot } from '../routes/fields/analytics-snapshot.ts';
import type { ContractSummary } from '../routes/me.ts';
import { ask } from './ask.ts';
import { nextPlan, PlanOpens } from './gate.tsx';
import { HOME, PLACES } from './places.ts';
import { page } from './session.ts';
import { showPage } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.overview;
const SOON_MS = 30 * DAY_MS;
/** Of a daily budget, from which on its end is in sight. */
const MOSTLY = 0.8;

type Contract = Static<typeof ContractSummary>;
type Counters = Static<typeof Snapshot>['counters'];

interface Need {
  readonly is: 'bad' | 'warn' | 'good';
  readonly what: string;
  readonly words: string;
  /** What is to be done on a page. */
  readonly href?: string;
}

/** What a tenant should see to, the most urgent first. */
function needsOf({ caller }: Visit, { sites, daily_budget }: Contract, counters: Counters, now: number) {
  const { state, plan, expiresAt } = caller.standing;
  const mayLook = reachesPlan(plan, PLACES.sites.plan);
  const isMostly = (used: number, budget: number | null) => budget !== null && used >= budget * MOSTLY;
  const { events, events_used, bytes, bytes_used } = daily_budget;
  const all: readonly (Need & { readonly if: boolean })[] = [
    { if: state === 'suspended', is: 'bad', what: WORDS.suspended, words: WORDS.suspendedWhat },
    {
      if: counters.alertsOpen > 0,
      is: 'bad',
      what: WORDS.alerts(counters.alertsOpen),
      words: mayLook ? WORDS.alertsWhat : WORDS.alertsShut,
      ...(mayLook ? { href: PLACES.sites.path } : {}),
    },
    {
      if: expiresAt !== null && expiresAt < now + SOON_MS,
      is: 'warn',
      what: WORDS.endsSoon,
      words: WORDS.endsSoonWhat,
    },
    {
      if: counters.sitesSilent > 0,
      is: 'warn',
      what: WORDS.silent(counters.sitesSilent),
      words: mayLook ? WORDS.silentWhat : WORDS.silentShut,
      ...(mayLook ? { href: `${PLACES.sites.path}?status=silent` } : {}),
    },
    { if: counters.sites === 0, is: 'warn', what: WORDS.noSite, words: WORDS.noSiteWhat },
    { if: sites.used >= sites.allowed, is: 'warn', what: WORDS.full, words: WORDS.fullWhat },
    {
      if: isMostly(events_used, events) || isMostly(bytes_used, bytes),
      is: 'warn',
      what: WORDS.budget,
      words: WORDS.budgetWhat,
    },
  ];
  return all.filter((need) => need.if);
}

const Needs = ({ needs }: { readonly needs: readonly Need[] }) => (
  <section aria-label={WORDS.next}>
    <h2>{WORDS.next}</h2>
    {needs.length === 0 ? (
      <p class="notice good">
        <strong>{WORDS.nothing}</strong>
      </p>
    ) : (
      needs.map(({ is, what, words, href }) => (
        <p class={`notice ${is}`}>
          <strong>{what}</strong>
          {words}
          {href === undefined ? null : (
            <Fragment>
              {' '}
              <a href={href}>{PLACES.sites.words}</a>
            </Fragment>
          )}
        </p>
      ))
    )}
  </section>
);

const Names = ({ of, none }: { readonly of: readonly string[]; readonly none: string }) =>
  of.length === 0 ? (
    <p class="quiet">{none}</p>
  ) : (
    <ul class="rows">
      {of.map((name) => (
        <li>{name}</li>
      ))}
    </ul>
  );

const Card = ({ title, children }: { readonly title: string; readonly children?: Child }) => (
  <section class="card">
    <h2>{title}</h2>
    {children}
  </section>
);

const kib = (bytes: number): string => `${whole(Math.ceil(bytes / KIB))} KiB`;

/** What a license is, how its sites are, and what to do about it. */
export const overviewPage = (parts: PortalParts) => {
  const { clock, catalog } = parts;

  const showExpired = (visit: Visit) =>
    showPage(visit, {
      title: WORDS.title,
      at: PLACES.overview,
      children: (
        <Fragment>
          <p class="notice bad">
            <strong>{WORDS.expired}</strong>
            {WORDS.expiredWhat}
          </p>
          <LicenseCard visit={visit} />
        </Fragment>
      ),
    });

  const show = async (visit: Visit) => {
    const { caller } = visit;
    if (caller.standing.state === 'expired') return showExpired(visit);
    const contract = await ask<Contract>(parts, visit, '/me');
    const { counters } = await ask<Static<typeof Snapshot>>(parts, visit, '/analytics/metrics', {
      sections: [],
    });
    const next = caller.standing.valid ? nextPlan(caller.standing.plan) : undefined;
    const { used, allowed } = contract.sites;
    const { events, events_used, bytes, bytes_used } = contract.daily_budget;
    return showPage(visit, {
      title: WORDS.title,
      at: PLACES.overview,
      children: (
        <Fragment>
          <Needs needs={needsOf(visit, contract, counters, clock.now())} />
          <div class="cards">
            <LicenseCard visit={visit} />
            <Card title={WORDS.sites}>
              <p class="figure">{whole(counters.sites)}</p>
              <Facts
                of={[
                  [WORDS.active, whole(counters.sitesActive)],
                  [WORDS.stale, whole(counters.sitesStale)],
                  [WORDS.silentSites, whole(counters.sitesSilent)],
                  [WORDS.openAlerts, whole(counters.alertsOpen)],
                ]}
              />
            </Card>
            <Card title={WORDS.seats}>
              <p class="figure">{WORDS.used(whole(used), whole(allowed))}</p>
              <h3>{WORDS.domains}</h3>
              <Names of={caller.license.domains} none={WORDS.noDomains} />
            </Card>
            <Card title={WORDS.today}>
              <Facts
                of={[
                  [WORDS.events, WORDS.of(whole(events_used), events === null ? undefined : whole(events))],
                  [WORDS.volume, WORDS.of(kib(bytes_used), bytes === null ? undefined : kib(bytes))],
                ]}
              />
            </Card>
            <Card title={WORDS.modules}>
              <Names
                of={contract.modules.map((name) => name.replaceAll('_', ' '))}
                none={TEXTS.plans.nothing}
              />
            </Card>
            {next === undefined ? null : <PlanOpens plan={next} catalog={catalog} caller={caller} />}
          </div>
        </Fragment>
      ),
    });
  };

  return new Elysia().get(HOME, page(parts, show, true) as () => Promise<Response>);
};

const LicenseCard = ({ visit: { caller } }: { readonly visit: Visit }) => {
  const { license, standing } = caller;
  const { state, valid, expiresAt } = standing;
  // Of one that does not hold now, what it is to be had again for.
  const { plan } = valid ? standing : (license.granted ?? license);
  return (
    <Card title={WORDS.license}>
      <Facts
        of={[
          [WORDS.name, licenseName(license.id)],
          [WORDS.state, state === 'revoked' || state === 'pending' ? null : WORDS.states[state]],
          [WORDS.plan, plan],
          [
            state === 'expired' ? WORDS.ended : WORDS.ends,
            expiresAt === null ? WORDS.never : <Time at={expiresAt} />,
          ],
          [license.environment === 'test' ? WORDS.test : '', license.environment === 'test' ? '✓' : null],
        ]}
      />
    </Card>
  );
};
