/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { type Catalog, PLANS, type Plan } from '../domain/license/catalog.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { Caller } from '../http/context.ts';
import { getAt } from '../http/route/endpoint.ts';
import { More } from '../pages/html.tsx';
import { addressOf, filtersOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { SiteDetails, SiteList } from '../routes/fields/site-fields.ts';
import { cloudImmunity, digitalImmunity, keyHygiene, pcGuard, saas, serverGuard } from '../signals/index.ts';
import { ask, askUnless, idOf } from './ask.ts';
import { PlanOpens } from './gate.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { domainOf } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.signals;
/** Sites per page, each of which takes a separate request. */
const SITES_MAX = 10;

/** Write-only signals, with the module whose agent reports them. */
const SIGNALS: readonly { readonly module: keyof typeof WORDS.what; readonly path: string }[] = [
  { module: 'key_hygiene', path: keyHygiene.path },
  { module: 'restore_assessment', path: '/restore/assess' },
  { module: 'saas_guard', path: saas.path },
  { module: 'server_guard', path: serverGuard.path },
  { module: 'pc_guard', path: pcGuard.path },
  { module: 'cloud_immunity', path: cloudImmunity.path },
  { module: 'digital_immunity', path: digitalImmunity.path },
  { module: 'decoys', path: '/canary/trip' },
  { module: 'threat_feed', path: '/threat-report/report' },
];

type Site = Static<typeof SiteDetails>;

/** Returns the lowest plan with a module; undefined for modules that are only added to individual licenses. */
const planOf = (module: string, catalog: Catalog): Plan | undefined =>
  PLANS.find((plan) => catalog[plan].modules.includes(module));

const Signals = ({ catalog, caller }: { readonly catalog: Catalog; readonly caller: Caller }) => (
  <TableCard
    label={WORDS.signals}
    none=""
    columns={WORDS.columns}
    rows={SIGNALS.map(({ module, path }) => [
      WORDS.names[module],
      WORDS.what[module],
      <code>{path}</code>,
      planOf(module, catalog) ?? WORDS.single,
      caller.standing.modules.includes(module) ? WORDS.yes : WORDS.no,
    ])}
  >
    <p class="quiet">{WORDS.about}</p>
  </TableCard>
);

const Score = ({ of, signal }: { readonly of: Site; readonly signal: string }) => {
  const found = of.posture_scores.find((score) => score.signal === signal);
  return found === undefined ? (
    <span class="quiet">{WORDS.notYet}</span>
  ) : (
    <Fragment>
      {WORDS.score(found.score, found.meaning)} <Time at={Date.parse(found.updated_at)} />
    </Fragment>
  );
};

/** The page with available signals, the scores of sites, and the features of higher plans. */
export const signalPage = (parts: PortalParts) => {
  const { catalog } = parts;

  const scores = async (visit: Visit) => {
    const { cursor } = filtersOf(visit.request, ['cursor']);
    const path = addressOf('/sites', { limit: String(SITES_MAX), cursor });
    const list = await askUnless<Static<typeof SiteList>>(['PLAN_REQUIRED'], parts, visit, path);
    if (isRefusal(list))
      return (
        <section class="card wide">
          <h2>{WORDS.scores}</h2>
          <p class="notice warn">{TEXTS.plans.title(PLACES.sites.plan)}</p>
        </section>
      );
    const sites: Site[] = [];
    for (const { id } of list.sites) sites.push(await ask<Site>(parts, visit, `/sites/${idOf(id)}`));
    return (
      <Fragment>
        <TableCard
          label={WORDS.scores}
          none={WORDS.noSite}
          columns={WORDS.scoreColumns}
          rows={sites.map((site) => [
            <a href={`${PLACES.sites.path}/${site.id}`}>{domainOf(site.url)}</a>,
            <Score of={site} signal="key_hygiene" />,
            <Score of={site} signal="restore" />,
          ])}
        >
          <p class="quiet">{WORDS.meanings}</p>
        </TableCard>
        <More
          href={
            list.next_cursor === null
              ? undefined
              : addressOf(PLACES.signals.path, { cursor: list.next_cursor })
          }
        />
      </Fragment>
    );
  };

  const show = async (visit: Visit) => {
    const { caller } = visit;
    const greater = PLANS.slice(PLANS.indexOf(caller.standing.plan) + 1);
    return showPlace(
      visit,
      PLACES.signals,
      <div class="cards">
        <Signals catalog={catalog} caller={caller} />
        {await scores(visit)}
        {greater.map((plan) => (
          <PlanOpens plan={plan} catalog={catalog} caller={caller} />
        ))}
      </div>,
    );
  };

  return [getAt(PLACES.signals.path, page(parts, show))];
};
