/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { DECISIONS } from '../domain/risk/decision.ts';
import { OUTCOMES } from '../domain/vulnerability/match.ts';
import { getAt } from '../http/route/endpoint.ts';
import { Choice, Field, FilterBar } from '../pages/form.tsx';
import { Facts, More, Problem, whole } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import type { VulnerabilitiesPage } from '../routes/site-vulnerabilities.ts';
import { ask, askUnless, idOf } from './ask.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { page } from './session.ts';
import { showPlace } from './show-page.tsx';
import type { SiteShown } from './site-cards.tsx';
import { domainOf, siteAddress, When } from './site-parts.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.vulnerabilities;

type Found = Static<typeof VulnerabilitiesPage>;
type Finding = Found['findings'][number];

const pathOf = (id: string): string => `${siteAddress(id)}/vulnerabilities`;

const Due = ({ finding: { due_at: at, overdue, not_affected: not } }: { readonly finding: Finding }) => (
  <Fragment>
    {at === null ? not ? WORDS.notAffected : WORDS.withUpgrade : <When at={at} />}{' '}
    {overdue ? <span class="badge bad">{WORDS.late}</span> : null}
  </Fragment>
);

/** Returns the supplier's justification in words, and its explanation. */
const whyNot = ({ justification, impact }: NonNullable<Finding['not_affected']>): string =>
  [justification === null ? WORDS.notAffected : WORDS.justifications[justification], impact]
    .filter((text) => text !== '')
    .join(': ');

const rowOf = (finding: Finding) => [
  `${finding.name} ${finding.version} (${finding.ecosystem})`,
  <Fragment>
    <strong>{[finding.vulnerability_id, ...finding.aliases].join(', ')}</strong>
    <br />
    {finding.title}
    {finding.not_affected ? (
      <Fragment>
        <br />
        {whyNot(finding.not_affected)}
      </Fragment>
    ) : null}
  </Fragment>,
  finding.risk.score,
  finding.risk.decision,
  <Due finding={finding} />,
  finding.risk.recommendation,
  finding.attribution.join(', '),
];

const FilterForm = ({ action, filters }: { readonly action: string; readonly filters: Filters }) => (
  <FilterBar action={action}>
    <Choice
      label={WORDS.decision}
      name="decision"
      value={filters.decision}
      of={DECISIONS}
      none={TEXTS.none}
    />
    <Field label={WORDS.minRisk} name="min_risk" value={filters.min_risk} hint="0" max={3} />
  </FilterBar>
);

const Notice = ({ what, words }: { readonly what: string; readonly words: string }) => (
  <p class="notice warn">
    <strong>{what}</strong>
    {words}
  </p>
);

const Findings = ({ found, isFiltered }: { readonly found: Found; readonly isFiltered: boolean }) => (
  <div class="cards">
    <section class="card">
      <h2>{WORDS.components}</h2>
      <Facts
        of={[
          [WORDS.inventory, <When at={found.inventory_at} />],
          ...OUTCOMES.map((outcome) => [WORDS.counts[outcome], whole(found.counts[outcome])] as const),
          [WORDS.overdue, whole(found.overdue)],
        ]}
      />
    </section>
    <TableCard
      label={WORDS.findings}
      none={isFiltered ? WORDS.noneSuch : WORDS.noFindings}
      columns={WORDS.columns}
      rows={found.findings.map(rowOf)}
    >
      {found.mirror_state === 'stale' ? <p class="notice warn">{WORDS.stale}</p> : null}
      {found.omitted > 0 ? <p>{WORDS.omitted(found.omitted)}</p> : null}
    </TableCard>
    {found.sources.length === 0 ? null : (
      <section class="card wide">
        <h2>{WORDS.sources}</h2>
        <ul>
          {found.sources.map(({ id, attribution, license }) => (
            <li>{`${id}: ${attribution} ${license}`}</li>
          ))}
        </ul>
      </section>
    )}
  </div>
);

const Content = ({
  found,
  action,
  asked,
}: {
  readonly found: Found | Refusal;
  readonly action: string;
  readonly asked: Filters;
}) => {
  const { cursor: _, ...filters } = asked;
  if (isRefusal(found) && found.refused === 'MIRROR_EMPTY')
    return <Notice what={WORDS.empty} words={WORDS.emptyWhat} />;
  if (!isRefusal(found) && found.inventory_at === null)
    return (
      <Fragment>
        <Notice what={WORDS.noInventory} words={WORDS.noInventoryWhat} />
        <p>
          <a href={PLACES.api.path}>{PLACES.api.words}</a>
        </p>
      </Fragment>
    );
  return (
    <Fragment>
      <Problem text={isRefusal(found) ? TEXTS.malformed : undefined} />
      <FilterForm action={action} filters={filters} />
      {isRefusal(found) ? null : (
        <Fragment>
          <Findings found={found} isFiltered={Object.keys(asked).length > 0} />
          <More
            href={
              found.next_cursor === null
                ? undefined
                : addressOf(action, { ...filters, cursor: found.next_cursor })
            }
          />
        </Fragment>
      )}
    </Fragment>
  );
};

/** The page with the vulnerabilities of a site, most urgent first. */
export const siteVulnerabilitiesPage = (parts: PortalParts) => {
  const show = async (visit: Visit) => {
    const id = idOf(visit.params.siteId);
    const asked = filtersOf(visit.request, ['decision', 'min_risk', 'cursor']);
    const site = await ask<SiteShown>(parts, visit, `/sites/${id}`);
    const path = addressOf(`/sites/${id}/vulnerabilities`, asked);
    const found = await askUnless<Found>(['INVALID_QUERY', 'MIRROR_EMPTY'], parts, visit, path);
    const domain = domainOf(site.url);
    return showPlace(
      visit,
      PLACES.sites,
      <Fragment>
        <p>
          <a href={siteAddress(id)}>{domain}</a>
        </p>
        <Content found={found} action={pathOf(id)} asked={asked} />
      </Fragment>,
      {
        title: WORDS.title(domain),
        refused: isRefusal(found) && found.refused === 'INVALID_QUERY' ? found.refused : undefined,
      },
    );
  };
  return [getAt(pathOf(':siteId'), page(parts, gated(parts, PLACES.sites, show)))];
};
