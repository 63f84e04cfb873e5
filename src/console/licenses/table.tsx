/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { LicenseState } from '../../domain/license/license.ts';
import { capitalized } from '../../lib/capitalized.ts';
import type { ShownLicense } from '../../operator/shown-license.ts';
import { whole } from '../../pages/html.tsx';
import { Table } from '../../pages/table.tsx';
import { Time } from '../../pages/time.tsx';
import type { LicenseMatch } from '../../storage/licenses/license-search.ts';
import { customerPath } from '../customer-link.ts';
import { licensePath } from '../license-link.tsx';
import { TEXTS } from '../texts.ts';

const WORDS = TEXTS.licenses;

const STATE_LOOKS: Readonly<Record<LicenseState, string>> = {
  active: 'good',
  trial: 'good',
  pending: 'warn',
  suspended: 'bad',
  expired: 'warn',
  revoked: 'bad',
};

/**
 * The state of a license as a badge.
 *
 * @param count number of licenses in this state, shown if greater than 1
 */
export const StateBadge = ({
  state,
  count = 1,
}: {
  readonly state: LicenseState;
  readonly count?: number;
}) => <span class={`badge ${STATE_LOOKS[state]}`}>{count === 1 ? state : `${whole(count)} ${state}`}</span>;

export interface LicenseRow {
  readonly license: ShownLicense;
  readonly matched?: LicenseMatch;
}

const CustomerLink = ({ license: { customer, email, license_id } }: { readonly license: ShownLicense }) => {
  const name = customer ?? email;
  return name === null ? <Fragment /> : <a href={customerPath(license_id)}>{name}</a>;
};

/** A table of licenses; for a search, with the matched field. */
export function LicenseTable({
  rows,
  withCustomers,
}: {
  readonly rows: readonly LicenseRow[];
  withCustomers: boolean;
}) {
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
          {isSearch ? <td data-label={WORDS.columns.matched}>{matched && WORDS.matches[matched]}</td> : null}
          <td data-label={WORDS.columns.status}>
            <StateBadge state={license.status} />
          </td>
          <td data-label={WORDS.columns.plan}>{capitalized(license.plan)}</td>
          <td
            data-label={WORDS.columns.sites}
          >{`${whole(license.domains.length)} of ${whole(license.sites_allowed)}`}</td>
          <td data-label={WORDS.columns.ends}>
            {license.expires_at === null ? WORDS.never : <Time at={Date.parse(license.expires_at)} />}
          </td>
          {withCustomers ? (
            <td data-label={WORDS.columns.customer}>
              <CustomerLink license={license} />
            </td>
          ) : null}
        </tr>
      ))}
    </Table>
  );
}
