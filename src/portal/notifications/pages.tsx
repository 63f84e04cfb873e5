/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { reachesPlan } from '../../domain/license/catalog.ts';
import { refusalWords } from '../../domain/notification/field-words.ts';
import { TENANT_PLAN, TENANT_TYPES } from '../../domain/notification/target.ts';
import { isRefusal, type Refusal, type RefusalCode, refuse } from '../../domain/refusal.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import { goTo, noteWait, Problem } from '../../pages/html.tsx';
import type { Notice } from '../../pages/notices.ts';
import type { AddedTarget, DoneAction, TargetList } from '../../routes/notifications.ts';
import { ask, askUnless, idOf } from '../ask.ts';
import { Gate } from '../gate.tsx';
import { PLACES } from '../places.ts';
import { acting, page } from '../session.ts';
import { showPlace } from '../show-page.tsx';
import type { PortalParts, Visit } from '../visit.ts';
import { AddCard, TargetTable } from './parts.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.notifications;
const API_PATH = '/notifications';
/** Refusals that the page shows. */
const REFUSALS: readonly RefusalCode[] = [
  ...(['INVALID_PAYLOAD', 'TARGET_REFUSED', 'NOT_FOUND', 'DAILY_CAP_EXCEEDED'] as const),
  ...(['PLAN_REQUIRED', 'NOTIFICATIONS_DISABLED', 'STORE_UNAVAILABLE'] as const),
];
const ACTIONS = Object.keys(WORDS.actions);

interface Shown {
  readonly notice?: Notice;
  readonly refusal?: Refusal;
  /** The values of a refused form. */
  readonly form?: Form;
}

/** Converts the form to the body of the API request. */
function bodyOf({ name = '', address = '', min_severity, digest_minutes = '', format = '', ...form }: Form) {
  const digest = digest_minutes.trim();
  return {
    name: name.trim(),
    address: address.trim(),
    ...(min_severity === undefined ? {} : { min_severity }),
    ...(digest === '' ? {} : { digest_minutes: /^\d{1,5}$/.test(digest) ? Number(digest) : digest }),
    ...(format === '' ? {} : { format }),
    events: TENANT_TYPES.filter((type) => form[`events:${type}`] !== undefined),
  };
}

/** The page on which tenants configure notification targets. */
export const notificationPages = (parts: PortalParts) => {
  const show = async (visit: Visit, { notice, refusal, form }: Shown = {}) => {
    const { caller } = visit;
    const { targets, enabled } = await ask<Static<typeof TargetList>>(parts, visit, API_PATH);
    const hasPlan = reachesPlan(caller.standing.plan, TENANT_PLAN);
    const mayUse = hasPlan && enabled;
    return showPlace(
      visit,
      PLACES.notifications,
      <Fragment>
        <Problem text={refusal && refusalWords(refusal)} />
        <p>{WORDS.about}</p>
        {enabled ? null : <p class="notice warn">{WORDS.disabled}</p>}
        {hasPlan ? null : <Gate plan={TENANT_PLAN} catalog={parts.catalog} caller={caller} />}
        {mayUse || targets.length > 0 ? <TargetTable targets={targets} mayUse={mayUse} /> : null}
        {mayUse ? <AddCard form={form} isOpen={form !== undefined || targets.length === 0} /> : null}
      </Fragment>,
      { refused: refusal?.refused, ...(notice === undefined ? {} : { notices: [notice] }) },
    );
  };
  const showFirst = (visit: Visit) => show(visit);

  const showRefused = (visit: Visit, refusal: Refusal, form?: Form) => {
    noteWait(visit.set, refusal);
    return show(visit, { refusal, ...(form === undefined ? {} : { form }) });
  };

  const add = async (visit: Visit, form: Form) => {
    const body = bodyOf(form);
    const added = await askUnless<Static<typeof AddedTarget>>(REFUSALS, parts, visit, API_PATH, body);
    if (isRefusal(added)) return showRefused(visit, added, form);
    const { name } = added.target;
    const { secret, confirmation } = added;
    if (secret !== null) return show(visit, { notice: { words: WORDS.secret(name), secret } });
    const words = confirmation === null ? WORDS.added(name) : WORDS.asked(name, confirmation.message);
    return show(visit, { notice: { words } });
  };

  const act = async (visit: Visit) => {
    const { action = '' } = visit.params;
    if (!ACTIONS.includes(action)) throw refuse('NOT_FOUND', 'There is no page at this address.');
    const path = `${API_PATH}/${idOf(visit.params.targetId)}`;
    const done = await askUnless<Static<typeof DoneAction>>(REFUSALS, parts, visit, path, { action });
    if (isRefusal(done))
      return showRefused(visit, done.refused === 'NOT_FOUND' ? { ...done, message: WORDS.gone } : done);
    const { target, secret, test } = done;
    if (target === null || (secret === null && test === null)) return goTo(visit.set, PATH);
    const notice =
      secret === null
        ? { words: WORDS.tested(target.name, test?.message ?? '') }
        : { words: WORDS.secret(target.name), secret };
    return show(visit, { notice });
  };

  return [
    getAt(PATH, page(parts, showFirst)),
    postAt(PATH, acting(parts, add)),
    postAt(`${PATH}/:targetId/:action`, acting(parts, act)),
  ];
};
