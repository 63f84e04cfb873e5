/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import type { ActDefinition, PlannedFacts } from '../../acts/act.ts';
import {
  add,
  type FoundTarget,
  findTarget,
  type NamedTarget,
  TARGET_ACTS,
  test,
} from '../../acts/notifications/acts.ts';
import { hasRole } from '../../domain/admin/operator.ts';
import { licenseName, parseLicenseName } from '../../domain/license/license-name.ts';
import { refusalWords } from '../../domain/notification/field-words.ts';
import { testWords } from '../../domain/notification/test-delivery.ts';
import { refuse } from '../../domain/refusal.ts';
import { getAt } from '../../http/route/endpoint.ts';
import { createTargetTest } from '../../operator/notifications/test-of-target.ts';
import { Problem } from '../../pages/html.tsx';
import { filtersOf } from '../../pages/query.ts';
import type { Parts } from '../../routes/parts.ts';
import { readTargets, type TargetRecord } from '../../storage/notifications/targets.ts';
import { noticeOf } from '../act.ts';
import { type PageActParts, pageActs, type RefusedForm } from '../page-acts.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { type HasNotices, page, type Visit } from '../visit.ts';
import { AddCard, TargetTable } from './list.tsx';
import { TargetActions, TargetView } from './target.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.notifications;
type Input = Readonly<Record<string, unknown>>;
type Plan = PlannedFacts & { readonly secret?: string | undefined };
const ACTS: readonly ActDefinition<FoundTarget, Input, Plan>[] = TARGET_ACTS;
const ADD: readonly ActDefinition<NamedTarget, Input, Plan>[] = [add];

const pathOf = ({ publicId }: TargetRecord): string => `${PATH}/targets/${publicId}`;

/** Pages of notification targets and their deliveries. */
export const notificationPages = (
  parts: PageActParts & HasNotices & Parts<'clock' | 'identities' | 'sendTest'>,
) => {
  const { db, notices } = parts;
  const targets = readTargets(db);
  const testOf = createTargetTest(parts);
  const mayActIn = ({ operator }: Visit) => hasRole(operator.role, 'operator');

  const showList = async (visit: Visit, refused?: RefusedForm) => {
    const { license } = filtersOf(visit.request, ['license']);
    const licenseId = license === undefined ? null : (parseLicenseName(license) ?? 0);
    const found = await targets.list(licenseId);
    const mayAct = mayActIn(visit);
    return showPlace(
      visit,
      PLACES.notifications,
      <Fragment>
        <Problem text={refused && refusalWords(refused.refusal)} />
        <p>{licenseId === null ? WORDS.about : WORDS.ofTenant(licenseName(licenseId))}</p>
        <TargetTable targets={found} mayAct={mayAct} pathOf={pathOf} />
        {mayAct && licenseId === null ? (
          <div class="cards">
            <AddCard path={PATH} refused={refused} isFirst={found.length === 0} />
          </div>
        ) : null}
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: refused?.refusal.refused },
    );
  };

  const showTarget = async (visit: Visit, target: TargetRecord, refused?: RefusedForm) => {
    const mayAct = mayActIn(visit);
    const attempts = await targets.attempts(target.id);
    return showPlace(
      visit,
      PLACES.notifications,
      <Fragment>
        <Problem text={refused?.refusal.message} />
        <TargetView path={PATH} target={target} attempts={attempts} mayAct={mayAct} refused={refused} />
      </Fragment>,
      {
        title: target.name,
        notices: notices.take(visit, pathOf(target)),
        refused: refused?.refusal.refused,
        ...(mayAct ? { actions: <TargetActions path={PATH} target={target} /> } : {}),
      },
    );
  };

  const showOne = async (visit: Visit) => {
    const { target } = await findTarget(db, visit.params.target ?? '');
    if (target === undefined) throw refuse('NOT_FOUND', WORDS.gone);
    return showTarget(visit, target);
  };

  return [
    getAt(PATH, page(parts, 'viewer', showList)),
    getAt(`${PATH}/targets/:target`, page(parts, 'viewer', showOne)),
    ...pageActs(parts, {
      path: PATH,
      role: 'operator',
      acts: ADD,
      find: ({ name = '', address = '' }) => ({ name, address }),
      refused: showList,
      async done(visit, act, { name = '' }, done) {
        const target = await targets.findByName(null, name);
        const path = target === undefined ? PATH : pathOf(target);
        const secret = done.plan?.secret;
        notices.leave(
          visit,
          path,
          noticeOf(done, secret === undefined ? {} : { words: act.shown?.(name) ?? '', secret }),
        );
        return path;
      },
    }),
    ...pageActs(parts, {
      path: PATH,
      role: 'operator',
      acts: ACTS,
      find: ({ target = '' }) => findTarget(db, target),
      async refused(visit, refused) {
        const { target } = await findTarget(db, refused.form.target ?? '');
        return target === undefined ? showList(visit, refused) : showTarget(visit, target, refused);
      },
      async done(visit, act, form, done) {
        const { target } = await findTarget(db, form.target ?? '');
        const path = target === undefined ? PATH : pathOf(target);
        const name = target?.name ?? '';
        const secret = done.plan?.secret;
        const words =
          act.verb === test.verb && target !== undefined
            ? WORDS.tested(name, testWords(await testOf(target)))
            : undefined;
        notices.leave(
          visit,
          path,
          noticeOf(done, {
            ...(words === undefined ? {} : { words }),
            ...(secret === undefined ? {} : { words: act.shown?.(name) ?? '', secret }),
          }),
        );
        return path;
      },
    }),
  ];
};
