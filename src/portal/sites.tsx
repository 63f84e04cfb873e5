/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal } from '../domain/refusal.ts';
import { SITE_STATUSES } from '../domain/site/site-status.ts';
import { getAt } from '../http/route/endpoint.ts';
import { SiteBadge } from '../pages/badges.tsx';
import { Choice, FilterBar } from '../pages/form.tsx';
import { More, Problem, whole } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { WORDS as SHARED } from '../pages/words.ts';
import type { SitesPage } from '../routes/fields/site-fields.ts';
import { askList } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { sitePage } from './site.tsx';
import { domainOf, siteAddress, When } from './site-parts.tsx';
import { siteVulnerabilitiesPage } from './site-vulnerabilities.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const { path: PATH } = PLACES.sites;
const WORDS = TEXTS.sites;

type SiteList = Static<typeof SitesPage>;

const rowOf = (site: SiteList['sites'][number]) => [
  <a href={siteAddress(site.id)}>{domainOf(site.url)}</a>,
  <SiteBadge status={site.status} />,
  whole(site.alerts_open),
  site.security_score,
  <When at={site.last_seen_at} />,
  site.plugin_version ?? WORDS.unknown,
];

const FilterForm = ({ filters }: { readonly filters: Filters }) => (
  <FilterBar action={PATH}>
    <Choice
      label={WORDS.status}
      name="status"
      value={filters.status}
      of={SITE_STATUSES.map((status) => [status, SHARED.siteStates[status]] as const)}
      none={TEXTS.none}
    />
  </FilterBar>
);

const NoSite = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <p>{WORDS.noneSuch}</p>
  ) : (
    <p class="notice warn">
      <strong>{WORDS.none}</strong>
      {`${WORDS.noneWhat} `}
      <a href={PLACES.api.path}>{PLACES.api.words}</a>.
    </p>
  );

const listPage = (parts: PortalParts) => {
  const show = async (visit: Visit) => {
    const asked = filtersOf(visit.request, ['status', 'cursor']);
    const { cursor: _, ...filters } = asked;
    const path = addressOf('/sites', asked);
    const found = await askList<SiteList>(parts, visit, path);
    const { sites, next_cursor: next } = isRefusal(found) ? { sites: [], next_cursor: null } : found;
    return showPlace(
      visit,
      PLACES.sites,
      <Fragment>
        <Problem text={isRefusal(found) ? found.message : undefined} />
        <p>{WORDS.about}</p>
        <FilterForm filters={filters} />
        {sites.length > 0 ? (
          <Table label={WORDS.title} columns={Object.values(WORDS.columns)} rows={sites.map(rowOf)} />
        ) : isRefusal(found) ? null : (
          <NoSite isFiltered={Object.keys(asked).length > 0} />
        )}
        <More href={next === null ? undefined : addressOf(PATH, { ...filters, cursor: next })} />
      </Fragment>,
      { refused: isRefusal(found) ? found.refused : undefined },
    );
  };
  return [getAt(PATH, page(parts, gated(parts, PLACES.sites, show)))];
};

/** Pages that list the sites of a tenant, and show each of them. */
export const sitePages = (parts: PortalParts) => [
  ...listPage(parts),
  ...sitePage(parts),
  ...siteVulnerabilitiesPage(parts),
];
