/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { judgeSite, type SiteExpectations, type SiteStanding } from '../domain/site/site.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { ownTurn } from '../lib/own-turn.ts';
import { createSiteList, type VersionCounts } from '../operator/list-sites.ts';
import { SiteBadge } from '../pages/badges.tsx';
import { type Bar, BarChart } from '../pages/bar-chart.tsx';
import { Check, Field, FilterBar } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { ScoreBar } from '../pages/meter.tsx';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { Parts } from '../routes/parts.ts';
import { readAlerts } from '../storage/sites/alerts.ts';
import type { OperatorsSite, SitePosition } from '../storage/sites/all-sites.ts';
import { siteExpectations } from '../storage/sites/site-expectations.ts';
import { readSites } from '../storage/sites/sites.ts';
import { LicenseLink } from './license-link.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { isProblem, readSiteFilters, SiteFields } from './site-filters.tsx';
import { SiteLink } from './site-link.tsx';
import { TEXTS } from './texts.ts';
import { page, type Visit, type VisitParts } from './visit.ts';

const { path: PATH } = PLACES.sites;
const WORDS = TEXTS.sites;
const FILTERS = ['silent', 'license', 'domain', 'version'];
const PER_PAGE = 50;
const VERSIONS_SHOWN = 8;

const cursorOf = ({ lastSeenAt, id }: SitePosition): string => `${lastSeenAt}.${id}`;

function parseCursor(text: string): SitePosition | undefined {
  const [, lastSeenAt, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? undefined : { lastSeenAt: Number(lastSeenAt), id: Number(id) };
}

/** Returns the most frequent versions, and all others as one bar. */
function barsOf(counts: VersionCounts): Bar[] {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const bars = sorted
    .slice(0, VERSIONS_SHOWN)
    .map(([version, count]) => ({ name: version ?? WORDS.unknown, count }));
  const rest = sorted.slice(VERSIONS_SHOWN).reduce((sum, [, count]) => sum + count, 0);
  return rest === 0 ? bars : [...bars, { name: WORDS.rest, count: rest }];
}

const Row = ({ site }: { readonly site: OperatorsSite & SiteStanding }) => (
  <tr>
    <th scope="row">
      <SiteLink licenseId={site.licenseId} domain={site.domain} />
    </th>
    <td data-label={WORDS.columns.license}>
      <LicenseLink id={site.licenseId} />
    </td>
    <td data-label={WORDS.columns.status}>
      <SiteBadge status={site.status} />
    </td>
    <td data-label={WORDS.columns.seen}>
      <Time at={site.lastSeenAt} />
    </td>
    <td data-label={WORDS.columns.version}>{site.pluginVersion ?? WORDS.unknown}</td>
    <td
      class="num"
      data-label={WORDS.columns.alerts}
    >{`${site.openAlerts.length}${site.moreAlerts ? ` ${WORDS.moreAlerts}` : ''}`}</td>
    <td data-label={WORDS.columns.score}>
      <ScoreBar score={site.score.score} />
    </td>
  </tr>
);

const FilterForm = ({ filters }: { readonly filters: Filters }) => (
  <FilterBar action={PATH}>
    <SiteFields filters={filters} />
    <Field label={WORDS.version} name="version" value={filters.version} max={64} />
    <Check
      label={`${WORDS.silent} ${WORDS.silentFor}`}
      name="silent"
      checked={filters.silent !== undefined}
    />
  </FilterBar>
);

/** The page with the sites of all licenses, longest without a report first. */
export const sitesPage = (parts: VisitParts & Parts<'clock' | 'countVulnerabilities' | 'db'>) => {
  const { db, clock, config } = parts;
  const list = createSiteList(db, clock);
  const reads = { sites: readSites(db), alerts: readAlerts(db) };

  const read = async (asked: Filters, now: number) => {
    const named = readSiteFilters(asked, config);
    if (isProblem(named)) return named;
    const from = asked.cursor === undefined ? undefined : parseCursor(asked.cursor);
    if (asked.cursor !== undefined && from === undefined) return { problem: TEXTS.siteFilters.noCursor };
    const seenBefore = asked.silent === undefined ? undefined : now - DAY_MS;
    return list.page({ ...named, version: asked.version, seenBefore }, { from, limit: PER_PAGE });
  };

  const judged = async (sites: readonly OperatorsSite[], now: number) => {
    const expected = new Map<number, SiteExpectations>();
    const all: (OperatorsSite & SiteStanding)[] = [];
    for (const site of sites) {
      const { id, licenseId } = site;
      // Reading the expectations of a license takes a while, because it may have thousands of sites.
      if (!expected.has(licenseId)) await ownTurn();
      const expectations = expected.get(licenseId) ?? (await siteExpectations(reads, config, licenseId));
      expected.set(licenseId, expectations);
      all.push(
        judgeSite(
          site,
          {
            alerts: await reads.alerts.ofSite(licenseId, id),
            vulnerabilities: await parts.countVulnerabilities(licenseId, site),
          },
          expectations,
          now,
        ),
      );
    }
    return all;
  };

  const show = async ({ operator, request, set }: Visit) => {
    const asked = filtersOf(request, [...FILTERS, 'cursor']);
    const { cursor: _, ...filters } = asked;
    const now = clock.now();
    const found = await read(asked, now);
    const { sites, next } = isProblem(found) ? { sites: [], next: undefined } : found;
    const problem = isProblem(found) ? found.problem : undefined;
    const rows = await judged(sites, now);
    const bars = barsOf(await list.versions());
    return showPlace(
      { set, operator },
      PLACES.sites,
      <Fragment>
        <Problem text={problem} />
        <p>{WORDS.about}</p>
        <FilterForm filters={filters} />
        <Table
          label={WORDS.title}
          columns={Object.values(WORDS.columns)}
          numbers={[5]}
          none={<p>{WORDS.none}</p>}
        >
          {rows.map((site) => (
            <Row site={site} />
          ))}
        </Table>
        <More href={next && addressOf(PATH, { ...filters, cursor: cursorOf(next) })} />
        <section class="card wide">
          <h2>{WORDS.versions}</h2>
          <BarChart title={WORDS.versionsAre} bars={bars} columns={[WORDS.version, WORDS.count]} />
        </section>
      </Fragment>,
      { refused: problem === undefined ? undefined : 'INVALID_QUERY' },
    );
  };

  return [getAt(PATH, page(parts, 'viewer', show))];
};
