import type { Static } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import { LICENSE_NAME, parseLicenseName } from '../../domain/license/license-name.ts';
import { DOMAIN_CHARACTERS_MAX } from '../../domain/site/site-domain.ts';

import { requireScope } from '../../http/admin-caller.ts';
import { answers, closed, nullable, show, success, typed } from '../../http/contract/answers.ts';

import { oneOf, siteText } from '../../http/fields.ts';
import { queryParameters, queryReader } from '../../http/query.ts';
import { ALERT_CURSOR, alertCursor, parseAlertCursor, shownAlert } from '../../operator/shown-alert.ts';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import { SECURITY, TAGS, TOKEN_CODES } from './contract.ts';
import { Alert, EXAMPLE_ALERT } from './fields/alert.ts';
import { domainIn } from './fields/wanted.ts';
import type { AdminParts } from './parts.ts';

const AlertQuery = closed({
  severity: t.Optional(oneOf(['high', 'critical'], 'only alerts of this severity')),
  license_id: t.Optional(
    t.String({ pattern: LICENSE_NAME.source, description: 'only alerts of this license, such as lic_1' }),
  ),
  domain: t.Optional(siteText('only alerts of sites with this domain', DOMAIN_CHARACTERS_MAX)),
  acknowledged: t.Optional(oneOf(['true', 'false'], 'only acknowledged or only unacknowledged alerts')),
  ...PAGE('alerts', ALERT_CURSOR),
});

const AlertList = typed('AlertList', {
  alerts: t.Array(Alert, {
    description: 'alerts of this page: unacknowledged first, then critical, then most recent',
  }),
  next_cursor: nullable(
    t.String({ description: 'cursor of the next page, even if this page has few alerts or none' }),
    'cursor of the next page; null on the last page',
  ),
});

/** What may need somebody's attention, on any site. */
export const alerts = ({ authenticate, db, clock, config }: AdminParts) => {
  const readQuery = queryReader(AlertQuery, 'refused');
  const openAlerts = readOpenAlerts(db);

  const list = async (query: Static<typeof AlertQuery>) => {
    const { severity, license_id: license, domain, acknowledged, limit = PAGE_DEFAULT, cursor } = query;
    const filter = {
      severity,
      licenseId: license === undefined ? undefined : parseLicenseName(license),
      domain: domain === undefined ? undefined : domainIn('domain', domain, config, 'INVALID_QUERY'),
      isAcknowledged: acknowledged === undefined ? undefined : acknowledged === 'true',
    };
    const page = await openAlerts.page(
      filter,
      { from: cursor === undefined ? undefined : parseAlertCursor(cursor), limit },
      clock.now(),
    );
    return success({
      alerts: page.alerts.map(shownAlert),
      next_cursor: page.next === undefined ? null : alertCursor(page.next),
    });
  };

  return new Elysia()
    .derive(authenticate)
    .derive(requireScope('status:read'))
    .get('/alerts', async ({ request }) => list(readQuery(request)), {
      response: answers(
        show(AlertList, { alerts: [EXAMPLE_ALERT], next_cursor: null }, 'Returns a page of open alerts.'),
        ...TOKEN_CODES,
        'INVALID_QUERY',
      ),
      detail: {
        operationId: 'listAlerts',
        summary: 'List open alerts of all sites',
        description: 'Filters are combined with AND. Scope `status:read`.',
        parameters: queryParameters(AlertQuery),
        tags: [TAGS.alerts],
        security: SECURITY,
      },
    });
};
