import { type Static, Type as t } from '@sinclair/typebox';
import {
  DIGEST_MS_MAX,
  MAIL_DIGEST_MS,
  TARGET_FORMATS,
  TENANT_PLAN,
  TENANT_TARGETS_MAX,
  TENANT_TYPES,
} from '../domain/notification/target.ts';
import { isRefusal, notRefused, type Refusal, refuse } from '../domain/refusal.ts';
import { bodySchema } from '../http/body.ts';
import { type Caller, type HookContext, KIB, requestIdOf } from '../http/context.ts';
import { nullable, show, typed } from '../http/contract/answers.ts';
import { TAGS } from '../http/contract/contract.ts';
import { oneOf } from '../http/fields.ts';
import { requirePlan } from '../http/plan-gate.ts';
import { bearerRoute, jsonBody, pathParameter, shared } from '../http/route/index.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Act, RefusedAct } from '../operator/act.ts';
import { shownTenantTarget, shownTest } from '../operator/notifications/shown-target.ts';
import {
  ENDING_ACTIONS,
  TENANT_ACTIONS,
  type TenantAction,
  type TenantPlan,
  tenantActor,
  tenantActs,
} from '../operator/notifications/tenant-acts.ts';
import { createTargetTest } from '../operator/notifications/test-of-target.ts';
import {
  EXAMPLE_TENANT_TARGET,
  EXAMPLE_TEST,
  MinSeverity,
  NAMED_TARGET,
  TestResult,
  targetFields,
} from './admin/fields/notification.ts';
import type { Parts } from './parts.ts';

const FORMATS = [...TARGET_FORMATS.webhook, ...TARGET_FORMATS.mail];

const Target = typed('NotificationTarget', targetFields);
export const TargetList = typed('NotificationTargetList', {
  targets: t.Array(Target, { description: `targets of this license by name, at most ${TENANT_TARGETS_MAX}` }),
  enabled: t.Boolean({
    description: 'whether targets can be added and tested; the operator can turn this off',
  }),
});
const WantedTarget = bodySchema(
  'NewNotificationTarget',
  {
    ...NAMED_TARGET,
    events: t.Optional(
      t.Array(oneOf(TENANT_TYPES), {
        minItems: 1,
        maxItems: TENANT_TYPES.length,
        description: 'types of events; absent: all that concern this license',
      }),
    ),
    min_severity: t.Optional(MinSeverity),
    digest_minutes: t.Optional(
      t.Integer({
        minimum: 0,
        maximum: DIGEST_MS_MAX / MINUTE_MS,
        description: `minutes for which events are collected; critical ones are sent at once. Absent: ${MAIL_DIGEST_MS / MINUTE_MS} for mail, otherwise 0`,
      }),
    ),
    format: t.Optional(oneOf(FORMATS, 'format; absent: `standard` for webhooks, `text` for mail')),
  },
  {
    name: 'ops-chat',
    address: 'https://hooks.example.com/services/T000/B000',
    events: ['alert.opened'],
    min_severity: 'critical',
    format: 'slack',
  },
);
const SECRET = {
  secret: nullable(
    t.String({ description: 'secret that signs webhooks; shown only in this response' }),
    'secret that signs webhooks; shown only in this response; null: none was created',
  ),
};
export const AddedTarget = typed('AddedNotificationTarget', {
  target: { ...Target, description: 'the new target' },
  ...SECRET,
  confirmation: nullable(
    TestResult,
    'whether the confirmation mail was sent to a mailbox; null: none is needed',
  ),
});
const WantedAction = bodySchema(
  'NotificationAction',
  {
    action: oneOf(
      TENANT_ACTIONS,
      '`test` sends a test now, or the confirmation mail again; `pause` lets events wait; `resume` sends them; `rotate` creates a new secret, and both sign for 24 hours; `remove` removes the target with its waiting events',
    ),
  },
  { action: 'pause' },
);
export const DoneAction = typed('NotificationActionDone', {
  target: nullable(Target, 'the target as it is now; null: removed'),
  ...SECRET,
  test: nullable(TestResult, 'result of the test; null for other actions'),
});

type NotificationParts = Parts<'clock' | 'config' | 'db' | 'desk' | 'identities' | 'sendTest'>;
interface Asking extends HookContext {
  readonly caller: Caller;
}

const targetsOf = shared((parts: NotificationParts) => {
  const { clock, config, desk } = parts;
  const testOf = createTargetTest(parts);
  const isEnabled = config.tenantNotifications;
  const actsOf = ({ license }: Caller) => tenantActs(parts, license.id);
  const byOf = ({ caller, set }: Pick<Asking, 'caller' | 'set'>): Act => ({
    ...(caller.author ?? { actor: tenantActor(caller.license.id), requestId: requestIdOf({ set }) }),
    now: clock.now(),
  });

  const requireUse = (caller: Caller): void => {
    requirePlan(caller, TENANT_PLAN);
    if (!isEnabled)
      throw refuse('NOTIFICATIONS_DISABLED', 'The operator of this service has turned notifications off.');
  };

  /**
   * @param isEnding whether the act stops deliveries, which is allowed even on a full disk
   * @throws Refusal
   */
  const done = async (by: Act, isEnding: boolean, plan: () => Promise<TenantPlan | RefusedAct>) => {
    const outcome = await desk.do(undefined, by.now, async () => {
      const planned = await plan();
      return 'refused' in planned ? planned : { ...planned, facts: {}, sparesReserve: !isEnding };
    });
    return notRefused(isRefusal(outcome) ? forTenant(outcome) : outcome).plan;
  };

  const find = async (caller: Caller, publicId: string) => {
    const target = await actsOf(caller).find(publicId);
    if (target === undefined) throw refuse('NOT_FOUND', 'This license has no such notification target.');
    return target;
  };

  return {
    list: async (caller: Caller) => ({
      targets: (await actsOf(caller).list()).map(shownTenantTarget),
      enabled: isEnabled,
    }),

    async add({ caller, set }: Pick<Asking, 'caller' | 'set'>, body: Static<typeof WantedTarget>) {
      requireUse(caller);
      const { name, address, events, min_severity: minSeverity, digest_minutes: minutes, format } = body;
      const wanted = {
        name,
        address,
        ...(events === undefined ? {} : { events }),
        ...(minSeverity === undefined ? {} : { minSeverity }),
        ...(minutes === undefined ? {} : { digestMs: minutes * MINUTE_MS }),
        ...(format === undefined ? {} : { format }),
      };
      const by = byOf({ caller, set });
      const acts = actsOf(caller);
      const plan = await done(by, false, () => acts.add(wanted, by));
      const added = (await acts.list()).find((each) => each.name === name);
      if (added === undefined) throw refuse('NOT_FOUND', 'The target was removed again.');
      const isUnconfirmed = added.pausedReason === 'unconfirmed';
      return {
        target: shownTenantTarget(added),
        secret: plan?.secret ?? null,
        confirmation: isUnconfirmed ? shownTest(await testOf(added)) : null,
      };
    },

    async act({ caller, set }: Pick<Asking, 'caller' | 'set'>, publicId: string, action: TenantAction) {
      const isEnding = ENDING_ACTIONS.includes(action);
      if (!isEnding) requireUse(caller);
      const by = byOf({ caller, set });
      const acts = actsOf(caller);
      const plan = await done(by, isEnding, async () => acts.do(await find(caller, publicId), action, by));
      const target = await acts.find(publicId);
      return {
        target: target === undefined ? null : shownTenantTarget(target),
        secret: plan?.secret ?? null,
        test: action === 'test' && target !== undefined ? shownTest(await testOf(target)) : null,
      };
    },
  };
});

/** Translates a refused act to the codes of this API. */
const forTenant = (refusal: Refusal): Refusal =>
  refusal.refused === 'ACT_REFUSED' ? refuse('TARGET_REFUSED', refusal.message) : refusal;

const EXAMPLE_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const ACT_CODES = [
  'PLAN_REQUIRED',
  'NOTIFICATIONS_DISABLED',
  'TARGET_REFUSED',
  'DAILY_CAP_EXCEEDED',
  'STORE_UNAVAILABLE',
] as const;

/** Operations on the notification targets of a license. */
export const notifications = [
  bearerRoute({
    at: 'GET /notifications',
    tag: TAGS.tenant,
    operationId: 'listNotificationTargets',
    summary: 'List notification targets',
    description: 'Where events of this license are sent, with the health of deliveries.',
    answer: show(
      TargetList,
      { targets: [EXAMPLE_TENANT_TARGET], enabled: true },
      'Returns the targets with their health.',
    ),
    handle: targetsOf(({ list }, { caller }) => list(caller)),
  }),
  bearerRoute({
    at: 'POST /notifications',
    body: jsonBody({ schema: WantedTarget, capBytes: 8 * KIB }),
    tag: TAGS.tenant,
    operationId: 'addNotificationTarget',
    summary: 'Add a notification target',
    description: `The address is a webhook (\`https://\`) or a mailbox (\`mailto:\`). Webhooks in the format \`standard\` follow Standard Webhooks; their secret is returned once. A mailbox first gets a mail with a link, and nothing else until its owner confirms within 7 days. Changes and tests have a daily limit per license. Requires the plan ${TENANT_PLAN} or higher.`,
    answer: show(
      AddedTarget,
      { target: EXAMPLE_TENANT_TARGET, secret: null, confirmation: null },
      'Returns the target and, once, its secret.',
    ),
    codes: ACT_CODES,
    handle: targetsOf(({ add }, { caller, set, body }) => add({ caller, set }, body)),
  }),
  bearerRoute({
    at: 'POST /notifications/:targetId',
    body: jsonBody({ schema: WantedAction, capBytes: 8 * KIB }),
    tag: TAGS.tenant,
    parameters: [pathParameter('targetId', 'target ID, as in GET /notifications')],
    operationId: 'changeNotificationTarget',
    summary: 'Change or test a notification target',
    description: `Sends a test, pauses, resumes or removes the target, or rotates its secret. Pausing and removing are possible with any plan until the license expires; the other actions require the plan ${TENANT_PLAN} or higher and have a daily limit per license.`,
    answer: show(
      DoneAction,
      {
        target: { ...EXAMPLE_TENANT_TARGET, format: 'standard' },
        secret: EXAMPLE_SECRET,
        test: EXAMPLE_TEST,
      },
      'Returns the target as it is now, and what the action created.',
    ),
    codes: ['NOT_FOUND', ...ACT_CODES],
    handle: targetsOf(({ act }, { caller, set, params: { targetId }, body: { action } }) =>
      act({ caller, set }, targetId, action),
    ),
  }),
];
