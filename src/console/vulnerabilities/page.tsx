/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hasRole } from '../../domain/admin/operator.ts';
import { ageHours, isStale } from '../../domain/vulnerability/mirror-age.ts';
import { getAt } from '../../http/route/endpoint.ts';
import type { CustomerList } from '../../operator/customers.ts';
import { DUE_SOON_DAYS, type SiteRisks, type SiteRisksDesk } from '../../operator/site-risks.ts';
import { componentWords, remedyWords } from '../../operator/vulnerability-words.ts';
import { whole } from '../../pages/html.tsx';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import { VerdictBar } from '../../pages/verdict-bar.tsx';
import { stateOf } from '../../routes/fields/finding-fields.ts';
import type { Parts } from '../../routes/parts.ts';
import type { SnapshotSource } from '../../storage/mirror/snapshot-sources.ts';
import { licensePath } from '../license-link.tsx';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { sitePath } from '../site-link.tsx';
import { TEXTS } from '../texts.ts';
import { type HasCustomers, page, type Visit, type VisitParts } from '../visit.ts';
import { componentPath } from './address.ts';
import { ComponentLink } from './component-link.tsx';
import { ownersOf, WORDS } from './words.ts';

/** The state of the vulnerability data. Never green, because it could be mistaken for a verdict on the sites. */
function State(props: {
  readonly state: keyof typeof WORDS.states;
  readonly isDamaged: boolean;
  readonly importedAt: number | undefined;
}) {
  const { state, isDamaged, importedAt } = props;
  return state === 'current' && !isDamaged && importedAt !== undefined ? (
    <p class="quiet" role="status">
      {`${WORDS.states.current}, ${WORDS.imported} `}
      <Time at={importedAt} />
    </p>
  ) : (
    <p class={`notice ${isDamaged ? 'bad' : 'warn'}`} role="status">
      <strong>{isDamaged ? WORDS.damaged : WORDS.states[state]}</strong>
      {WORDS.import}
    </p>
  );
}

const Sources = (props: {
  readonly sources: readonly SnapshotSource[];
  readonly staleHours: number;
  readonly now: number;
}) => (
  <section class="card wide">
    <h2>{WORDS.sources}</h2>
    <Table
      label={WORDS.sources}
      columns={Object.values(WORDS.sourceColumns)}
      rows={props.sources.map((source) => [
        ...[source.name, whole(source.records), <Time at={source.publishedAt ?? source.importedAt} />],
        TEXTS.age(ageHours(source, props.now)),
        isStale(source, props.staleHours, props.now) ? WORDS.stale : WORDS.current,
      ])}
    />
  </section>
);

const Rest = ({ of, shown }: { readonly of: number; readonly shown: number }) =>
  of > shown ? <p class="quiet">{WORDS.more(of - shown)}</p> : null;

const Overdue = ({ overdue, overdueCount }: SiteRisks) => (
  <section class="card wide">
    <header>
      <h2>{WORDS.overdue}</h2>
      {overdueCount === 0 ? null : <span class="quiet">{whole(overdueCount)}</span>}
    </header>
    <Table
      label={WORDS.overdue}
      columns={Object.values(WORDS.overdueColumns)}
      head={1}
      rows={overdue.map(({ ecosystem, component, sites, licenses, first }) => [
        <Time at={first.dueAt} />,
        <a href={componentPath({ ecosystem, component })}>
          {componentWords(ecosystem, component, first.version)}
        </a>,
        `${first.vulnerability}${first.exploited ? ` (${WORDS.exploited})` : ''}`,
        `${first.forensics ? `${WORDS.forensics}, ` : ''}${remedyWords(first.fixedVersions)}`,
        ...[whole(sites), whole(licenses)],
        <Fragment>
          <a href={licensePath(first.license)}>{first.license}</a>{' '}
          <a href={sitePath(first.license, first.domain)}>{first.domain}</a>
        </Fragment>,
      ])}
      none={<p class="quiet">{WORDS.noneOverdue}</p>}
    />
    <Rest of={overdueCount} shown={overdue.length} />
  </section>
);

const Affected = ({ affected, affectedCount }: SiteRisks) => (
  <section class="card wide">
    <h2>{WORDS.affected}</h2>
    <p class="quiet">{affected.length === 0 ? WORDS.noneAffected : WORDS.affectedAbout}</p>
    {affected.length === 0 ? null : (
      <Table
        label={WORDS.affected}
        columns={Object.values(WORDS.affectedColumns)}
        rows={affected.map((each) => [
          <ComponentLink of={each} />,
          ...[each.sites, each.licenses, each.vulnerabilities, each.risk].map(whole),
          each.fixedVersion === undefined ? WORDS.noFix : <code>{each.fixedVersion}</code>,
          <Time at={each.dueAt} />,
        ])}
      />
    )}
    <Rest of={affectedCount} shown={affected.length} />
  </section>
);

const Risks = ({
  risks,
  customers,
}: {
  readonly risks: SiteRisks | 'failed' | undefined;
  readonly customers: CustomerList | undefined;
}) =>
  risks === undefined || risks === 'failed' ? (
    <p>{risks === 'failed' ? WORDS.countFailed : WORDS.counting}</p>
  ) : (
    <Fragment>
      <VerdictBar
        label={WORDS.dueSoon}
        tone={risks.dueSoon.sites > 0 ? 'bad' : 'good'}
        lead={
          risks.dueSoon.sites > 0
            ? WORDS.needFixes(
                WORDS.sitesOf(risks.dueSoon.sites, ownersOf(risks.dueSoon.licenses, customers)),
                DUE_SOON_DAYS,
              )
            : WORDS.noneDueSoon(DUE_SOON_DAYS)
        }
      />
      <p class="quiet">
        {`${WORDS.counted} `}
        <Time at={risks.countedAt} />
        {`. ${risks.sitesWithoutComponents > 0 ? WORDS.left(risks.sitesWithoutComponents) : ''} ${risks.isPartial ? WORDS.partly : ''}`}
      </p>
      <div class="cards">
        <Affected {...risks} />
        <Overdue {...risks} />
      </div>
    </Fragment>
  );

interface VulnerabilitiesParts extends VisitParts, HasCustomers, Parts<'clock' | 'mirror'> {
  /** Returns the newest counts of vulnerabilities that need fixes on all sites. */
  readonly siteRisks: SiteRisksDesk['latest'];
}

/** The page with the state of the vulnerability data, and the vulnerabilities that need fixes on all sites. */
export const vulnerabilitiesPage = (parts: VulnerabilitiesParts) => {
  const { mirror, siteRisks, customers, config, clock } = parts;

  const show = async ({ set, operator }: Visit) => {
    const now = clock.now();
    const staleHours = config.mirrorStaleHours;
    const current = await mirror.current();
    const risks = await siteRisks();
    const known = hasRole(operator.role, 'support') ? await customers() : undefined;
    return showPlace(
      { set, operator },
      PLACES.vulnerabilities,
      <Fragment>
        <State
          state={stateOf(current, staleHours, now)}
          isDamaged={mirror.isBroken}
          importedAt={current?.importedAt}
        />
        {current === undefined ? null : (
          <Fragment>
            <Risks risks={risks} customers={known} />
            <Sources sources={current.sources} staleHours={staleHours} now={now} />
          </Fragment>
        )}
      </Fragment>,
    );
  };

  return [getAt(PLACES.vulnerabilities.path, page(parts, 'viewer', show))];
};
