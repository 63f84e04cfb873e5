import { Type as t } from '@sinclair/typebox';
import { refuse } from '../../domain/refusal.ts';
import { KIB } from '../../http/context.ts';
import { nullable, show, typed } from '../../http/contract/answers.ts';
import { shownTarget, shownTest } from '../../operator/notifications/shown-target.ts';
import { createTargetTest } from '../../operator/notifications/test-of-target.ts';
import { TAGS } from '../../routes/admin/contract.ts';
import { noticesField, replayedField } from '../../routes/admin/fields/act.ts';
import { EXAMPLE_TEST, NAMED_TARGET, TestResult } from '../../routes/admin/fields/notification.ts';
import {
  EXAMPLE_TARGET,
  OperatorTarget,
  seesAll,
  TARGET_PARAMETER,
} from '../../routes/admin/notifications.ts';
import type { Parts } from '../../routes/parts.ts';
import type { TargetRecord } from '../../storage/notifications/targets.ts';
import { actRoute } from '../route.ts';
import { add, findTarget, pause, remove, replay, resume, rotate, test } from './acts.ts';

const DONE = { ...noticesField, ...replayedField };
const SECRET = {
  secret: nullable(
    t.String({ description: 'secret that signs webhooks; shown only in this response' }),
    'secret that signs webhooks; shown only in this response; null: nothing is signed, or a repeated request',
  ),
};
const EXAMPLE_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const TARGET = { target: { ...OperatorTarget, description: 'the target as it is now' } };
const Changed = typed('NotificationTargetChanged', { ...TARGET, ...DONE });
const Added = typed('NotificationTargetAdded', { ...TARGET, ...SECRET, ...DONE });
const Rotated = typed('NotificationSecretRotated', { ...TARGET, ...SECRET, ...DONE });
const Removed = typed('NotificationTargetRemoved', DONE);
const Tested = typed('NotificationTargetTested', {
  ...TARGET,
  test: nullable(TestResult, 'result; null for a repeated request, which sends nothing'),
  ...DONE,
});

const EXAMPLE = { target: EXAMPLE_TARGET, notices: [], replayed: false };
const PLACE = { scope: 'notifications:write', tag: TAGS.notifications, capBytes: 64 * KIB } as const;
const onOne = (verb: string) =>
  ({ ...PLACE, path: `/notifications/:target/${verb}`, parameters: [TARGET_PARAMETER] }) as const;

type TargetParts = Parts<'db' | 'identities' | 'clock' | 'sendTest'>;

interface Done {
  readonly notices: readonly string[];
  readonly plan: object | undefined;
}
const doneOf = ({ notices, plan }: Done) => ({ notices: [...notices], replayed: plan === undefined });

const existing = (target: TargetRecord | undefined): TargetRecord => {
  if (target === undefined) throw refuse('ACT_REFUSED', 'This target no longer exists.');
  return target;
};

const findIn =
  ({ db }: Pick<TargetParts, 'db'>) =>
  ({ target = '' }: Readonly<Record<string, string>>) =>
    findTarget(db, target);

/** The acts on notification targets. */
export const notificationActRoutes = [
  actRoute(
    add,
    {
      ...PLACE,
      path: '/notifications/add',
      isBodyNeeded: true,
      target: NAMED_TARGET,
      done: show(Added, { ...EXAMPLE, secret: EXAMPLE_SECRET }, 'Returns the target and, once, its secret.'),
    },
    ({ db }: TargetParts) => ({
      find: (_, { name, address }) => ({ name: String(name), address: String(address) }),
      async answer({ caller, body }, _, done) {
        const target = existing((await findTarget(db, String(body.name))).target);
        return {
          target: shownTarget(target, seesAll(caller)),
          secret: done.plan?.secret ?? null,
          ...doneOf(done),
        };
      },
    }),
  ),
  actRoute(
    test,
    {
      ...onOne(test.verb),
      done: show(Tested, { ...EXAMPLE, test: EXAMPLE_TEST }, 'Returns the result of the test.'),
    },
    (parts: TargetParts) => {
      const testOf = createTargetTest(parts);
      const find = findIn(parts);
      return {
        find,
        async answer({ caller }, params, done) {
          const target = existing((await find(params)).target);
          return {
            target: shownTarget(target, seesAll(caller)),
            test: done.plan === undefined ? null : shownTest(await testOf(target)),
            ...doneOf(done),
          };
        },
      };
    },
  ),
  ...[pause, resume, replay].map((act) =>
    actRoute(
      act,
      { ...onOne(act.verb), done: show(Changed, EXAMPLE, 'Returns the target as it is now.') },
      (parts: TargetParts) => ({
        find: findIn(parts),
        async answer({ caller }, params, done) {
          const target = existing((await findIn(parts)(params)).target);
          return { target: shownTarget(target, seesAll(caller)), ...doneOf(done) };
        },
      }),
    ),
  ),
  actRoute(
    rotate,
    {
      ...onOne(rotate.verb),
      done: show(
        Rotated,
        { ...EXAMPLE, secret: EXAMPLE_SECRET },
        'Returns the target and, once, its new secret.',
      ),
    },
    (parts: TargetParts) => ({
      find: findIn(parts),
      async answer({ caller }, params, done) {
        const target = existing((await findIn(parts)(params)).target);
        return {
          target: shownTarget(target, seesAll(caller)),
          secret: done.plan?.secret ?? null,
          ...doneOf(done),
        };
      },
    }),
  ),
  actRoute(
    remove,
    {
      ...onOne(remove.verb),
      done: show(Removed, { notices: [], replayed: false }, 'The target is removed.'),
    },
    (parts: TargetParts) => ({ find: findIn(parts), answer: async (_, __, done) => doneOf(done) }),
  ),
];
