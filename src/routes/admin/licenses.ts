import { type Static, Type } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { PLANS } from '../../domain/license/catalog.ts';
import { LICENSE_STATES } from '../../domain/license/license.ts';
import { LICENSE_NAME, licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import { DOMAIN_CHARACTERS_MAX } from '../../domain/site/site-domain.ts';
import { requireScope } from '../../http/admin-caller.ts';
import { answers, closed, nullable, show, success, typed } from '../../http/contract/answers.ts';

import { oneOf, siteText } from '../../http/fields.ts';
import { queryParameters, queryReader } from '../../http/query.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { listLicenses } from '../../operator/list-licenses.ts';
import { shownLicense } from '../../operator/shown-license.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import { licenseAt } from './fields/act.ts';
import { EXAMPLE_LICENSE, LICENSE_ID, License } from './fields/license.ts';
import { domainIn } from './fields/wanted.ts';
import type { AdminParts } from './parts.ts';

const DAYS_MAX = 3_650;

const LicenseQuery = closed({
  status: t.Optional(oneOf(LICENSE_STATES, 'only licenses with this status')),
  plan: t.Optional(oneOf(PLANS, 'only licenses with this plan')),
  domain: t.Optional(siteText('only licenses with this registered domain', DOMAIN_CHARACTERS_MAX)),
  expiring_in_days: t.Optional(
    Type.Integer({
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

/** Licenses, as operators see them. */
export const licenses = (parts: AdminParts) => {
  const { db, offer, config, clock } = parts;
  const readQuery = queryReader(LicenseQuery, 'refused');

  const list = async (query: Static<typeof LicenseQuery>) => {
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
  };

  return new Elysia()
    .derive(parts.authenticate)
    .derive(requireScope('licenses:read'))
    .get('/licenses', async ({ request }) => success(await list(readQuery(request))), {
      response: answers(
        show(LicenseList, { licenses: [EXAMPLE_LICENSE], next_cursor: null }, 'Returns a page of licenses.'),
        ...TOKEN_CODES,
        'INVALID_QUERY',
      ),
      detail: {
        operationId: 'listLicenses',
        summary: 'List licenses',
        description: 'Filters are combined with AND. Scope `licenses:read`.',
        parameters: queryParameters(LicenseQuery),
        tags: [TAGS.licenses],
        security: SECURITY,
      },
    })
    .get(
      '/licenses/:licenseId',
      async ({ params: { licenseId } }) =>
        success(shownLicense(await licenseAt(parts, licenseId), offer.catalog, clock.now())),
      {
        response: answers(
          show(License, EXAMPLE_LICENSE, 'Returns the license.'),
          ...TOKEN_CODES,
          'LICENSE_NOT_FOUND',
        ),
        detail: {
          operationId: 'getLicense',
          summary: 'Get a license',
          description: 'Scope `licenses:read`.',
          parameters: [LICENSE_ID],
          tags: [TAGS.licenses],
          security: SECURITY,
        },
      },
    );
};
