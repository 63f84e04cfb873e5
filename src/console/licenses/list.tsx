/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hasRole } from '../../domain/admin/operator.ts';
import { PLANS } from '../../domain/license/catalog.ts';
import { LICENSE_STATES } from '../../domain/license/license.ts';
import type { LicenseFilter } from '../../domain/license/license-filter.ts';
import { licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import { notRefused } from '../../domain/refusal.ts';
import { normalizeSiteDomain } from '../../domain/site/site-domain.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { eachLicense, exportLicenses, listLicenses } from '../../operator/list-licenses.ts';
import { LICENSE_COLUMNS, licenseCells, shownLicense } from '../../operator/shown-license.ts';
import { Check, Choice, Field } from '../../pages/form.tsx';
import { More } from '../../pages/html.tsx';
import { addressOf, type Filters, filtersOf, oneOfFilter } from '../../pages/query.ts';
import type { ActingParts } from '../../routes/admin/fields/act.ts';
import type { Parts } from '../../routes/parts.ts';
import { createActs } from '../act.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { TEXTS } from '../texts.ts';
import {
  acting,
  answerFile,
  type HasDownloads,
  type HasNotices,
  page,
  type Visit,
  type VisitParts,
} from '../visit.ts';
import { LicenseTable } from './table.tsx';

const { path: PATH } = PLACES.licenses;
const WORDS = TEXTS.licenses;
const SHOWN_MAX = 50;
const SOON_DAYS = 30;
const FILTERS = ['status', 'plan', 'domain', 'soon', 'silent', 'cursor'];

const maySeeCustomers = ({ operator }: Visit): boolean => hasRole(operator.role, 'support');

const FilterForm = ({ filters }: { readonly filters: Filters }) => (
  <form method="get" action={PATH} class="filters">
    <Choice label={WORDS.status} name="status" value={filters.status} of={LICENSE_STATES} none={TEXTS.none} />
    <Choice label={WORDS.plan} name="plan" value={filters.plan} of={PLANS} none={TEXTS.none} />
    <Field label={WORDS.domain} name="domain" value={filters.domain} max={253} />
    <Check label={WORDS.soon(SOON_DAYS)} name="soon" checked={filters.soon === '1'} />
    <Check label={WORDS.silent} name="silent" checked={filters.silent === '1'} />
    <button type="submit" class="quiet">
      {TEXTS.filter}
    </button>
  </form>
);

const ListActions = ({ filters, mayIssue }: { readonly filters: Filters; readonly mayIssue: boolean }) => (
  <Fragment>
    <form method="post" action={addressOf(`${PATH}/csv`, filters)}>
      <button type="submit" class="quiet">
        {TEXTS.csv}
      </button>
    </form>
    {mayIssue ? (
      <Fragment>
        <a class="button quiet" href={`${PATH}/import`}>
          {WORDS.import}
        </a>
        <a class="button" href={`${PATH}/new`}>
          {WORDS.issue}
        </a>
      </Fragment>
    ) : null}
  </Fragment>
);

/** The list of licenses with filters, and its download. */
export const licensePages = (
  parts: VisitParts & ActingParts & HasDownloads & HasNotices & Parts<'db' | 'offer'>,
) => {
  const { db, offer, config, clock, notices } = parts;
  const act = createActs(parts);
  const shown = (license: Parameters<typeof shownLicense>[0]) =>
    shownLicense(license, offer.catalog, clock.now());

  /** Parses the filters. A malformed domain matches nothing. */
  const filterOf = ({ status, plan, domain, soon, silent }: Filters): LicenseFilter => ({
    state: oneOfFilter(LICENSE_STATES, status),
    plan: oneOfFilter(PLANS, plan),
    domain: domain && (normalizeSiteDomain(domain, config.stagingDomains)?.name ?? ''),
    endsWithinMs: soon === '1' ? SOON_DAYS * DAY_MS : undefined,
    silent: silent === '1',
  });

  const list = async (visit: Visit) => {
    const { cursor, ...filters } = filtersOf(visit.request, FILTERS);
    const at = { after: parseLicenseName(cursor ?? '') ?? 0, limit: SHOWN_MAX };
    const { licenses, next } = await listLicenses(db, filterOf(filters), at, offer.catalog, clock.now());
    const withCustomers = maySeeCustomers(visit);
    return showPlace(
      visit,
      PLACES.licenses,
      <Fragment>
        <FilterForm filters={filters} />
        {licenses.length === 0 ? (
          <p class="quiet">{WORDS.nothing}</p>
        ) : (
          <LicenseTable
            rows={licenses.map((license) => ({ license: shown(license) }))}
            withCustomers={withCustomers}
          />
        )}
        <More href={next === null ? undefined : addressOf(PATH, { ...filters, cursor: licenseName(next) })} />
      </Fragment>,
      {
        notices: notices.take(visit, PATH),
        actions: withCustomers ? (
          <ListActions filters={filters} mayIssue={hasRole(visit.operator.role, 'operator')} />
        ) : undefined,
      },
    );
  };

  const download = async (visit: Visit, form: Form) => {
    const filter = filterOf(filtersOf(visit.request, FILTERS));
    notRefused(
      await act(visit, {
        form,
        role: 'support',
        plan: (by) => exportLicenses(filter, 'csv', by),
      }),
    );
    return answerFile(parts, visit, { name: 'licenses', header: LICENSE_COLUMNS, rows: csvRows(filter) });
  };

  async function* csvRows(filter: LicenseFilter) {
    for await (const some of eachLicense(db, filter, offer.catalog, clock.now()))
      yield some.map((license) => licenseCells(shown(license)));
  }

  return [
    getAt(PATH, page(parts, 'viewer', list)),
    postAt(`${PATH}/csv`, acting(parts, 'support', download)),
  ];
};
