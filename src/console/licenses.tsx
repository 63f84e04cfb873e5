/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import { PLANS } from '../domain/license/catalog.ts';
import { NOTE_CHARACTERS_MAX } from '../domain/license/customer.ts';
import { LICENSE_STATES, type LicenseState } from '../domain/license/license.ts';
import type { LicenseFilter } from '../domain/license/license-filter.ts';
import { licenseName, parseLicenseName } from '../domain/license/license-name.ts';
import { notRefused } from '../domain/refusal.ts';
import { normalizeSiteDomain } from '../domain/site/site-domain.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { DAY_MS } from '../lib/clock.ts';
import { trimInvisible } from '../lib/trim-invisible.ts';
import { findLicenses } from '../operator/find-licenses.ts';
import { eachLicense, exportLicenses, listLicenses } from '../operator/list-licenses.ts';
import { LICENSE_COLUMNS, licenseCells, type ShownLicense, shownLicense } from '../operator/shown-license.ts';
import { Check, Choice, Field } from '../pages/form.tsx';
import { goTo, More } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf, oneOfFilter } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import type { LicenseMatch } from '../storage/licenses/license-search.ts';
import { createActs } from './act.ts';
import { customerPath } from './customer-link.ts';
import { licensePath } from './license-link.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { acting, answerFile, type HasDownloads, page, type Visit, type VisitParts } from './visit.ts';

const { path: PATH } = PLACES.licenses;
const WORDS = TEXTS.licenses;
const SHOWN_MAX = 50;
const SOON_DAYS = 30;
const FILTERS = ['status', 'plan', 'domain', 'soon', 'silent', 'cursor'];

const STATE_LOOKS: Readonly<Record<LicenseState, string>> = {
  active: 'good',
  trial: 'good',
  pending: 'warn',
  suspended: 'bad',
  expired: 'warn',
  revoked: 'bad',
};

/** What a license is worth, by its word and a colour beside it. */
export const StateBadge = ({ state }: { readonly state: LicenseState }) => (
  <span class={`badge ${STATE_LOOKS[state]}`}>{state}</span>
);

interface Row {
  readonly license: ShownLicense;
  readonly matched?: LicenseMatch;
}

const maySeeCustomers = ({ operator }: Visit): boolean => hasRole(operator.role, 'operator');

const CustomerLink = ({ license: { customer, email, license_id } }: { readonly license: ShownLicense }) => {
  const name = customer ?? email;
  return name === null ? <Fragment /> : <a href={customerPath(license_id)}>{name}</a>;
};

const SearchForm = () => (
  <search>
    <form method="post" action={`${PATH}/find`} class="filters">
      <Field label={WORDS.search} name="text" hint={WORDS.searchHint} max={NOTE_CHARACTERS_MAX} required />
      <button type="submit">{WORDS.find}</button>
    </form>
  </search>
);

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

function LicenseTable({ rows, withCustomers }: { readonly rows: readonly Row[]; withCustomers: boolean }) {
  const { license, status, plan, sites, ends, customer, matched } = WORDS.columns;
  const isSearch = rows.some((row) => row.matched !== undefined);
  const columns = [
    ...[license, ...(isSearch ? [matched] : []), status, plan, sites, ends],
    ...(withCustomers ? [customer] : []),
  ];
  return (
    <Table label={WORDS.title} columns={columns}>
      {rows.map(({ license, matched }) => (
        <tr>
          <th scope="row">
            <a href={licensePath(license.license_id)}>{license.license_id}</a>
          </th>
          {isSearch ? <td>{matched && WORDS.matches[matched]}</td> : null}
          <td>
            <StateBadge state={license.status} />
          </td>
          <td>{license.plan}</td>
          <td>{`${license.domains.length} / ${license.sites_allowed}`}</td>
          <td>{license.expires_at === null ? WORDS.never : <Time at={Date.parse(license.expires_at)} />}</td>
          {withCustomers ? (
            <td>
              <CustomerLink license={license} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}

/** Licenses: one search box, filters, and the whole list as a file. */
export const licensePages = (parts: VisitParts & ActingParts & HasDownloads & Parts<'db' | 'offer'>) => {
  const { db, offer, config, clock } = parts;
  const act = createActs(parts);
  const shown = (license: Parameters<typeof shownLicense>[0]) =>
    shownLicense(license, offer.catalog, clock.now());

  /** A domain that is none is found nowhere. */
  const filterOf = ({ status, plan, domain, soon, silent }: Filters): LicenseFilter => ({
    state: oneOfFilter(LICENSE_STATES, status),
    plan: oneOfFilter(PLANS, plan),
    domain: domain && (normalizeSiteDomain(domain, config.stagingDomains)?.name ?? ''),
    endsWithinMs: soon === '1' ? SOON_DAYS * DAY_MS : undefined,
    silent: silent === '1',
  });

  const show = ({ set, operator }: Visit, children: Child) =>
    showPlace(
      { set, operator },
      PLACES.licenses,
      <Fragment>
        <SearchForm />
        {children}
      </Fragment>,
    );

  const list = async (visit: Visit) => {
    const { cursor, ...filters } = filtersOf(visit.request, FILTERS);
    const at = { after: parseLicenseName(cursor ?? '') ?? 0, limit: SHOWN_MAX };
    const { licenses, next } = await listLicenses(db, filterOf(filters), at, offer.catalog, clock.now());
    const withCustomers = maySeeCustomers(visit);
    return show(
      visit,
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
        {withCustomers ? (
          <div class="acts">
            <a class="button" href={`${PATH}/new`}>
              {WORDS.issue}
            </a>
            <form method="post" action={addressOf(`${PATH}/csv`, filters)}>
              <button type="submit" class="quiet">
                {TEXTS.csv}
              </button>
            </form>
          </div>
        ) : null}
      </Fragment>,
    );
  };

  /** By POST, because the text may be a key, which no address may hold. */
  const find = async (visit: Visit, { text = '' }: Form) => {
    const sought = trimInvisible(text);
    const withCustomers = maySeeCustomers(visit);
    const { found, hasMore } =
      sought === '' || sought.length > NOTE_CHARACTERS_MAX
        ? { found: [], hasMore: false }
        : await findLicenses(db, sought, SHOWN_MAX, clock.now(), withCustomers);
    const [only, ...others] = found;
    if (only && others.length === 0) return goTo(visit.set, licensePath(licenseName(only.license.id)));
    return show(
      visit,
      <Fragment>
        {found.length === 0 ? (
          <p class="notice warn" role="status">
            {WORDS.notFound}
          </p>
        ) : (
          <LicenseTable
            rows={found.map(({ license, matched }) => ({ license: shown(license), matched }))}
            withCustomers={withCustomers}
          />
        )}
        {hasMore ? <p class="quiet">{WORDS.hasMore(SHOWN_MAX)}</p> : null}
        <p>
          <a href={PATH}>{WORDS.all}</a>
        </p>
      </Fragment>,
    );
  };

  const download = async (visit: Visit, form: Form) => {
    const filter = filterOf(filtersOf(visit.request, FILTERS));
    notRefused(
      await act(visit, {
        form,
        role: 'operator',
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
    postAt(`${PATH}/find`, acting(parts, 'viewer', find)),
    postAt(`${PATH}/csv`, acting(parts, 'operator', download)),
  ];
};
