import { type TProperties, Type as t } from '@sinclair/typebox';
import { KIB } from '../../http/context.ts';
import { show, typed } from '../../http/contract/answers.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { licenseAt, noticesField, reasonField, replayedField } from '../../routes/admin/fields/act.ts';
import { AlertSubject } from '../../routes/admin/fields/alert.ts';
import { LicenseId } from '../../routes/admin/fields/license.ts';
import { domainIn } from '../../routes/admin/fields/wanted.ts';
import type { Parts } from '../../routes/parts.ts';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { DomainField } from '../body.ts';
import { actRoute } from '../route.ts';
import { ALERT_EXAMPLE, acknowledge, unacknowledge } from './acts.ts';

const TARGET: TProperties = {
  license_id: LicenseId,
  domain: DomainField,
  subject: AlertSubject,
  ...reasonField,
};

const Acknowledged = typed('Acknowledged', {
  license_id: LicenseId,
  domain: t.String({ description: 'domain of the site' }),
  subject: AlertSubject,
  acknowledged: t.Boolean({ description: 'whether the alert is acknowledged' }),
  ...noticesField,
  ...replayedField,
});

/** Operations that acknowledge an alert, or withdraw the acknowledgement. */
export const alertActRoutes = [acknowledge, unacknowledge].map((act) =>
  actRoute(
    act,
    {
      path: `/alerts/${act.verb}`,
      scope: 'alerts:write',
      tag: TAGS.alerts,
      capBytes: 8 * KIB,
      target: TARGET,
      codes: ['LICENSE_NOT_FOUND'],
      done: show(
        Acknowledged,
        { ...ALERT_EXAMPLE, acknowledged: act === acknowledge, notices: [], replayed: false },
        'Returns the current state.',
      ),
    },
    (parts: Parts<'config' | 'db'>) => {
      const openAlerts = readOpenAlerts(parts.db);
      const find = async (body: Readonly<Record<string, unknown>>) => {
        const { id } = await licenseAt(parts, String(body.license_id));
        const domain = domainIn('domain', String(body.domain), parts.config);
        return { licenseId: id, domain, subject: String(body.subject) };
      };
      return {
        find: (_, body) => find(body),
        async answer({ body }, _, { notices, plan }) {
          const { licenseId, domain, subject } = await find(body);
          const { acknowledgedAt = null } = (await openAlerts.find(licenseId, domain, subject)) ?? {};
          return {
            license_id: body.license_id,
            domain,
            subject,
            acknowledged: acknowledgedAt !== null,
            notices: [...notices],
            replayed: plan === undefined,
          };
        },
      };
    },
  ),
);
