/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { type PlannedFacts, roleFor } from '../../acts/act.ts';
import { acknowledge, type TargetAlert, unacknowledge } from '../../acts/alerts/acts.ts';
import { hasRole } from '../../domain/admin/operator.ts';
import { customerNote, customerNoteRule } from '../../domain/license/customer.ts';
import { parseLicenseName } from '../../domain/license/license-name.ts';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Form } from '../../http/form.ts';
import { getAt, postAt } from '../../http/route/endpoint.ts';
import { ALERT_NOTE_CHARACTERS_MAX, acknowledgeAlerts } from '../../operator/acknowledge-alert.ts';
import type { CustomerList } from '../../operator/customers.ts';
import { alertCursor, parseAlertCursor } from '../../operator/shown-alert.ts';
import { goTo, More, Problem } from '../../pages/html.tsx';
import { addressOf, type Filters, filtersOf } from '../../pages/query.ts';
import { Table } from '../../pages/table.tsx';
import { readOpenAlerts } from '../../storage/sites/open-alerts.ts';
import { createActs, noticeOf } from '../act.ts';
import { EVENTS_PATH } from '../events.tsx';
import { type PageActParts, pageActs, type RefusedForm } from '../page-acts.ts';
import { PLACES } from '../places.ts';
import { showPlace } from '../show-page.tsx';
import { isProblem } from '../site-filters.tsx';
import { TEXTS } from '../texts.ts';
import { acting, type HasCustomers, type HasNotices, page, type Visit } from '../visit.ts';
import { FILTERS, FilterForm, readAlertFilters } from './filters.tsx';
import { AlertRow, alertWords, columnsFor } from './row.tsx';
import { SelectionForm, selectedIn } from './selection.tsx';
import { WORDS } from './words.ts';

const { path: PATH } = PLACES.alerts;
const SELECTED = `${PATH}/acknowledge-selected`;
const PER_PAGE = 50;
const ROLE = roleFor(acknowledge);

/** The page of open alerts of all licenses, which can be acknowledged one by one, or together with one note. */
export const alertPages = (parts: PageActParts & HasNotices & HasCustomers) => {
  const { db, clock, config, notices, customers } = parts;
  const openAlerts = readOpenAlerts(db);
  const act = createActs(parts);

  const read = async (asked: Filters, customers: CustomerList | undefined, now: number) => {
    const filter = readAlertFilters(asked, config, customers, now);
    if (isProblem(filter)) return filter;
    const from = asked.cursor === undefined ? undefined : parseAlertCursor(asked.cursor);
    if (asked.cursor !== undefined && from === undefined) return { problem: TEXTS.siteFilters.noCursor };
    return openAlerts.page(filter, { from, limit: PER_PAGE }, now);
  };

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const { operator, request, set } = visit;
    const { cursor, ...filters } = filtersOf(request, [...FILTERS, 'cursor']);
    const now = clock.now();
    const mayAct = hasRole(operator.role, ROLE);
    const known = mayAct ? await customers() : undefined;
    const found = await read({ ...filters, ...(cursor === undefined ? {} : { cursor }) }, known, now);
    const { alerts, next } = isProblem(found) ? { alerts: [], next: undefined } : found;
    const wrong = isProblem(found) ? found.problem : undefined;
    const code = refused?.refusal.refused ?? (wrong === undefined ? undefined : 'INVALID_QUERY');
    const typed = refused?.form ?? {};
    const none = Object.keys(filters).length > 0 ? WORDS.noneFiltered : WORDS.none;
    return showPlace(
      { set, operator },
      PLACES.alerts,
      <Fragment>
        <Problem text={refused?.refusal.message ?? wrong} />
        <p>{WORDS.about}</p>
        <p>
          <a href={EVENTS_PATH}>{WORDS.events}</a>
        </p>
        <FilterForm filters={filters} hasCustomers={mayAct} />
        {mayAct && alerts.some(({ acknowledgedAt }) => acknowledgedAt === null) ? (
          <SelectionForm action={SELECTED} filters={filters} note={typed.note} />
        ) : null}
        <Table
          label={WORDS.title}
          columns={columnsFor(mayAct)}
          none={<p>{next === undefined ? none : TEXTS.siteFilters.goOn}</p>}
        >
          {alerts.map((alert) => (
            <AlertRow
              alert={alert}
              filters={filters}
              mayAct={mayAct}
              customer={known?.byLicense.get(alert.licenseId)?.name}
              now={now}
              typed={typed}
            />
          ))}
        </Table>
        <More href={next && addressOf(PATH, { ...filters, cursor: alertCursor(next) })} />
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: code },
    );
  };

  const acknowledgeSelected = acting(parts, ROLE, async (visit, form) => {
    const note = noteIn(form);
    const refused = (refusal: Refusal) => show(visit, { verb: SELECTED, form, refusal });
    if (isRefusal(note)) return refused(note);
    const selected = selectedIn(form).slice(0, PER_PAGE);
    const done = await act(visit, {
      form,
      role: ROLE,
      plan: (by) =>
        selected.length === 0 ? { refused: WORDS.noneSelected } : acknowledgeAlerts(db, selected, note, by),
    });
    if (isRefusal(done)) return refused(done);
    const count = (done.plan?.jobs ?? []).filter(({ name }) => name === 'acknowledgeAlert').length;
    notices.leave(visit, PATH, noticeOf(done, count === 0 ? {} : { words: WORDS.doneSelected(count) }));
    return goTo(visit.set, addressOf(PATH, filtersOf(visit.request, FILTERS)));
  });

  return [
    getAt(PATH, page(parts, 'viewer', show)),
    postAt(SELECTED, acknowledgeSelected),
    ...pageActs<TargetAlert, PlannedFacts>(parts, {
      path: PATH,
      role: 'operator',
      acts: [acknowledge, unacknowledge],
      find: alertIn,
      refused: show,
      done(visit, act, { domain = '', subject = '' }) {
        notices.leave(visit, PATH, { words: `${alertWords({ subject, domain })} ${act.done}.` });
        return addressOf(PATH, filtersOf(visit.request, FILTERS));
      },
    }),
  ];
};

/** Returns the note of a form, or a refusal if it cannot be stored. */
function noteIn({ note = '' }: Form): string | undefined | Refusal {
  if (note.trim() === '') return undefined;
  return (
    customerNote(note, ALERT_NOTE_CHARACTERS_MAX) ??
    refuse('ACT_REFUSED', `${WORDS.noteHint}: ${customerNoteRule(ALERT_NOTE_CHARACTERS_MAX)}.`)
  );
}

/** @throws Refusal if the form names no alert, or its note cannot be stored */
function alertIn(form: Form): TargetAlert {
  const { license = '', domain = '', subject = '', seen = '' } = form;
  const licenseId = parseLicenseName(license);
  if (licenseId === undefined) throw refuse('ACT_REFUSED', WORDS.notNamed);
  const note = noteIn(form);
  if (isRefusal(note)) throw note;
  return { licenseId, domain, subject, seen };
}
