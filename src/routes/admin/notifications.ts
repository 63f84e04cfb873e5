import { Type as t } from '@sinclair/typebox';
import { LICENSE_NAME, parseLicenseName } from '../../domain/license/license-name.ts';
import { refuse } from '../../domain/refusal.ts';
import type { AdminCaller } from '../../http/admin-caller.ts';
import { closed, nullable, show, typed } from '../../http/contract/answers.ts';
import { pathParameter, queryOf, shared } from '../../http/route/index.ts';
import { shownAttempt, shownTarget } from '../../operator/notifications/shown-target.ts';
import { readTargets, type TargetRecord } from '../../storage/notifications/targets.ts';
import type { Parts } from '../parts.ts';
import { TAGS } from './contract.ts';
import { LicenseId } from './fields/license.ts';
import { Delivery, EXAMPLE_DELIVERY, EXAMPLE_TENANT_TARGET, targetFields } from './fields/notification.ts';
import { tokenRoute } from './token-route.ts';

const HIDDEN = 'in full only with both scopes of notifications';

export const OperatorTarget = typed('NotificationTarget', {
  ...targetFields,
  address: t.String({ description: `where events are sent, ${HIDDEN}` }),
  license_id: nullable(LicenseId, "license of the tenant that configured it; null: an operator's"),
  license_ids: t.Array(LicenseId, { description: 'licenses whose events are sent' }),
  customers: nullable(
    t.Array(t.String(), { description: 'customers whose events are sent' }),
    'customers whose events are sent; null without both scopes of notifications',
  ),
  include_personal: t.Boolean({ description: 'whether names and mail addresses of customers are sent' }),
  has_ca: t.Boolean({ description: 'whether it has CA certificates of its own' }),
});
export const EXAMPLE_TARGET = {
  ...EXAMPLE_TENANT_TARGET,
  license_id: null,
  license_ids: [],
  customers: [],
  include_personal: false,
  has_ca: false,
};

const TargetList = typed('NotificationTargetList', {
  targets: t.Array(OperatorTarget, { description: 'targets by name, at most 100' }),
});
const DeliveryList = typed('NotificationDeliveryList', {
  deliveries: t.Array(Delivery, { description: 'last attempts, newest first, at most 50' }),
});

export const TARGET_PARAMETER = pathParameter(
  'target',
  'name of the target, or its ID; targets of tenants have only their ID',
);

const TargetQuery = closed({
  license_id: t.Optional(
    t.String({
      pattern: LICENSE_NAME.source,
      description: 'targets of the tenant with this license instead of those of operators',
    }),
  ),
});

/** Whether a token may see complete addresses and customers: it needs both scopes, reading and writing. */
export const seesAll = ({ scopes }: AdminCaller): boolean =>
  scopes.includes('notifications:read') && scopes.includes('notifications:write');

const targetsOf = shared(({ db }: Parts<'db'>) => {
  const targets = readTargets(db);
  const find = async (text: string): Promise<TargetRecord> => {
    const found = (await targets.findByName(null, text)) ?? (await targets.find(text));
    if (found === undefined) throw refuse('NOT_FOUND', 'There is no such target.');
    return found;
  };
  return { targets, find };
});

const READ = { scope: 'notifications:read', tag: TAGS.notifications } as const;
const ON_ONE = { ...READ, parameters: [TARGET_PARAMETER], codes: ['NOT_FOUND'] } as const;

/** Operations that list notification targets and their deliveries. */
export const notifications = [
  tokenRoute({
    at: 'GET /notifications',
    ...READ,
    query: queryOf(TargetQuery, 'refused'),
    operationId: 'listNotificationTargets',
    summary: 'List notification targets',
    description: 'Those of operators, or those of one tenant. Scope `notifications:read`.',
    answer: show(TargetList, { targets: [EXAMPLE_TARGET] }, 'Returns the targets with their health.'),
    handle: targetsOf(async ({ targets }, { caller, query: { license_id: license } }) => {
      const licenseId = license === undefined ? null : (parseLicenseName(license) ?? 0);
      return { targets: (await targets.list(licenseId)).map((each) => shownTarget(each, seesAll(caller))) };
    }),
  }),
  tokenRoute({
    at: 'GET /notifications/:target',
    ...ON_ONE,
    operationId: 'getNotificationTarget',
    summary: 'Get a notification target',
    description: 'Scope `notifications:read`.',
    answer: show(OperatorTarget, EXAMPLE_TARGET, 'Returns the target with its health.'),
    handle: targetsOf(async ({ find }, { caller, params: { target } }) =>
      shownTarget(await find(target), seesAll(caller)),
    ),
  }),
  tokenRoute({
    at: 'GET /notifications/:target/deliveries',
    ...ON_ONE,
    operationId: 'listNotificationDeliveries',
    summary: 'List the last deliveries to a target',
    description: 'At most 50 attempts. Scope `notifications:read`.',
    answer: show(DeliveryList, { deliveries: [EXAMPLE_DELIVERY] }, 'Returns the last attempts.'),
    handle: targetsOf(async ({ targets, find }, { params: { target } }) => {
      const { id } = await find(target);
      return { deliveries: (await targets.attempts(id)).map(shownAttempt) };
    }),
  }),
];
