/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { Customer } from '../../domain/license/customers.ts';
import { LICENSE_STATES, licenseStanding } from '../../domain/license/license.ts';
import { licenseName } from '../../domain/license/license-name.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { counted } from '../../lib/counted.ts';
import { More, whole } from '../../pages/html.tsx';
import { addressOf, filtersOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import type { Parts } from '../../routes/parts.ts';
import { readLicensePages } from '../../storage/licenses/license-pages.ts';
import type { LicenseRecord } from '../../storage/licenses/licenses.ts';
import { customerPath } from '../customer-link.ts';
import { StateBadge } from '../licenses/table.tsx';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { type HasCustomers, page, type Visit, type VisitParts } from '../visit.ts';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.customers;
const SHOWN = 50;
/** Licenses per customer that are read for the sums in the list. */
const LICENSES_SUMMED = 20;
const FROM = /^\d{1,7}$/;

export type CustomersParts = VisitParts & HasCustomers & Parts<'clock' | 'db' | 'offer'>;

/** The list of customers by name. */
export const customersPage = (parts: CustomersParts) => {
  const { db, offer, clock, customers } = parts;
  const pages = readLicensePages(db);

  const licensesOf = async (customers: readonly Customer[]) => {
    const ids = customers.flatMap(({ licenses }) => licenses.slice(0, LICENSES_SUMMED));
    const found = ids.length === 0 ? [] : await pages.ofIds(ids);
    return new Map(found.map((license) => [license.id, license]));
  };

  const rowOf = (customer: Customer, licenses: ReadonlyMap<number, LicenseRecord>, now: number) => {
    const [first = 0] = customer.licenses;
    const known = customer.licenses.flatMap((id) => licenses.get(id) ?? []);
    const states = known.map((license) => licenseStanding(license, offer.catalog, now).state);
    const summed = LICENSE_STATES.flatMap((state) => {
      const count = states.filter((each) => each === state).length;
      return count === 0 ? [] : <StateBadge state={state} count={count} />;
    });
    const isCut = customer.licenses.length > LICENSES_SUMMED;
    const more = isCut ? ` ${WORDS.moreLicenses}` : '';
    return [
      <a href={customerPath(licenseName(first))}>{customer.name}</a>,
      customer.email ?? '',
      whole(customer.licenses.length),
      `${whole(known.reduce((sum, { domains }) => sum + domains.length, 0))}${more}`,
      <span class="badges">
        {summed}
        {more}
      </span>,
    ];
  };

  const show = async ({ set, operator, request }: Visit) => {
    const { cursor = '' } = filtersOf(request, ['cursor']);
    const { all } = await customers();
    const from = FROM.test(cursor) ? Number(cursor) : 0;
    const shown = all.slice(from, from + SHOWN);
    const licenses = await licensesOf(shown);
    const next = from + SHOWN < all.length ? String(from + SHOWN) : undefined;
    const now = clock.now();
    return showPlace(
      { set, operator },
      PLACES.customers,
      <Fragment>
        <p class="quiet">{WORDS.about}</p>
        <Table
          label={WORDS.title}
          columns={WORDS.columns}
          rows={shown.map((customer) => rowOf(customer, licenses, now))}
          none={<p class="quiet">{WORDS.none}</p>}
        />
        <More href={next && addressOf(PATH, { cursor: next })} />
      </Fragment>,
      { sub: counted(all.length, 'customer') },
    );
  };

  return getAt(PATH, page(parts, 'support', show));
};
