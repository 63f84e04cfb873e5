import { Type as t } from '@sinclair/typebox';
import { LICENSE_NAME, parseLicenseName } from '../../domain/license/license-name.ts';
import { DOMAIN_CHARACTERS_MAX } from '../../domain/site/site-domain.ts';
import { closed, nullable, show, typed } from '../../http/contract/answers.ts';
import { oneOf, siteText } from '../../http/fields.ts';
import { queryOf } from '../../http/route/index.ts';
import { ALERT_CURSOR, alertCursor, parseAlertCursor, shownAlert } from '../../operator/shown-alert.ts';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { PAGE, PAGE_DEFAULT } from '../fields/page-query.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { Alert, EXAMPLE_ALERT } from './fields/alert.ts';
import { domainIn } from './fields/wanted.ts';
import { tokenRoute } from './token-route.ts';

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

export const alerts = tokenRoute({
  at: 'GET /alerts',
  scope: 'status:read',
  query: queryOf(AlertQuery, 'refused'),
  operationId: 'listAlerts',
  summary: 'List open alerts of all sites',
  description: 'Filters are combined with AND. Scope `status:read`.',
  tag: TAGS.alerts,
  answer: show(AlertList, { alerts: [EXAMPLE_ALERT], next_cursor: null }, 'Returns a page of open alerts.'),
  handle: async ({ query }, { db, clock, config }: Parts<'clock' | 'config' | 'db'>) => {
    const openAlerts = readOpenAlerts(db);

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
    return {
      alerts: page.alerts.map(shownAlert),
      next_cursor: page.next === undefined ? null : alertCursor(page.next),
    };
  },
});
