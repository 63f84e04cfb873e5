import { type Static, Type as t } from '@sinclair/typebox';
import { PLANS } from '../../domain/license/catalog.ts';
import { LICENSE_STATES } from '../../domain/license/license.ts';
import { LICENSE_NAME, licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import { DOMAIN_CHARACTERS_MAX } from '../../domain/site/site-domain.ts';
import { closed, nullable, show, typed } from '../../http/contract/answers.ts';
import { oneOf, siteText } from '../../http/fields.ts';
import { queryOf } from '../../http/route/index.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { listLicenses } from '../../operator/list-licenses.ts';
import { shownLicense } from '../../operator/shown-license.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { licenseAt } from './fields/act.ts';
import { EXAMPLE_LICENSE, LICENSE_ID, License } from './fields/license.ts';
import { domainIn } from './fields/wanted.ts';
import { tokenRoute } from './token-route.ts';

const DAYS_MAX = 3_650;

const LicenseQuery = closed({
  status: t.Optional(oneOf(LICENSE_STATES, 'only licenses with this status')),
  plan: t.Optional(oneOf(PLANS, 'only licenses with this plan')),
  domain: t.Optional(siteText('only licenses with this registered domain', DOMAIN_CHARACTERS_MAX)),
  expiring_in_days: t.Optional(
    t.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      description: 'only licenses that expire within this number of days; excludes revoked ones',
    }),
  ),
  silent: t.Optional(
    oneOf(['true', 'false'], 'true: only licenses without a report from any site for 24 hours'),
  ),
  ...PAGE('licenses', LICENSE_NAME),
});

const LicenseList = typed('LicenseList', {
  licenses: t.Array(License, { description: 'licenses, ordered by ID' }),
  next_cursor: nullable(t.String({ description: 'cursor of the next page; null on the last page' })),
});

type LicensesParts = Parts<'clock' | 'config' | 'db' | 'offer'>;

async function list(query: Static<typeof LicenseQuery>, { db, offer, config, clock }: LicensesParts) {
  const { status, plan, domain, expiring_in_days: days, silent, limit = PAGE_DEFAULT, cursor } = query;
  const now = clock.now();
  const filter = {
    state: status,
    plan,
    domain: domain === undefined ? undefined : domainIn('domain', domain, config, 'INVALID_QUERY'),
    endsWithinMs: days === undefined ? undefined : days * DAY_MS,
    silent: silent === 'true',
  };
  const page = await listLicenses(
    db,
    filter,
    { after: cursor === undefined ? 0 : (parseLicenseName(cursor) ?? 0), limit },
    offer.catalog,
    now,
  );
  return {
    licenses: page.licenses.map((license) => shownLicense(license, offer.catalog, now)),
    next_cursor: page.next === null ? null : licenseName(page.next),
  };
}

/** Operations that list licenses, and get one. */
export const licenses = [
  tokenRoute({
    at: 'GET /licenses',
    scope: 'licenses:read',
    query: queryOf(LicenseQuery, 'refused'),
    operationId: 'listLicenses',
    summary: 'List licenses',
    description: 'Filters are combined with AND. Scope `licenses:read`.',
    tag: TAGS.licenses,
    answer: show(
      LicenseList,
      { licenses: [EXAMPLE_LICENSE], next_cursor: null },
      'Returns a page of licenses.',
    ),
    handle: ({ query }, parts: LicensesParts) => list(query, parts),
  }),
  tokenRoute({
    at: 'GET /licenses/:licenseId',
    scope: 'licenses:read',
    operationId: 'getLicense',
    summary: 'Get a license',
    description: 'Scope `licenses:read`.',
    parameters: [LICENSE_ID],
    tag: TAGS.licenses,
    answer: show(License, EXAMPLE_LICENSE, 'Returns the license.'),
    codes: ['LICENSE_NOT_FOUND'],
    handle: async ({ params: { licenseId } }, parts: LicensesParts) => {
      const { offer, clock } = parts;
      return shownLicense(await licenseAt(parts, licenseId), offer.catalog, clock.now());
    },
  }),
];
