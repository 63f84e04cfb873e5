/** @jsxImportSource hono/jsx */
import { type Child, Fragment } from 'hono/jsx';
import type { PlannedFacts } from '../acts/act.ts';
import { acknowledge, type TargetAlert, unacknowledge } from '../acts/alerts/acts.ts';
import { ActButton } from '../acts/form.tsx';
import { hasRole } from '../domain/admin/operator.ts';
import { customerNote, customerNoteRule } from '../domain/license/customer.ts';
import { licenseName, parseLicenseName } from '../domain/license/license-name.ts';
import { refuse } from '../domain/refusal.ts';
import { ALERT_OPEN_DAYS } from '../domain/site/alerts.ts';
import type { Form } from '../http/form.ts';
import { getAt } from '../http/route/endpoint.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import { ALERT_NOTE_CHARACTERS_MAX, markOf, type NamedAlert } from '../operator/acknowledge-alert.ts';
import { alertCursor, parseAlertCursor } from '../operator/shown-alert.ts';
import { Choice, FilterBar } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { addressOf, type Filters, filtersOf, oneOfFilter } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import { type OpenSiteAlert, readOpenAlerts } from '../storage/sites/open-alerts.ts';
import { EVENTS_PATH } from './events.tsx';
import { LicenseLink } from './license-link.tsx';
import { type PageActParts, pageActs, type RefusedForm } from './page-acts.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { isProblem, readSiteFilters, SiteFields } from './site-filters.tsx';
import { TEXTS } from './texts.ts';
import { type HasNotices, page, type Visit } from './visit.ts';

const { path: PATH } = PLACES.alerts;
const WORDS = TEXTS.alerts;
const FILTERS = ['severity', 'license', 'domain', 'state'];
const SEVERITIES = ['critical', 'high'] as const;
const STATES = ['no', 'yes'] as const;
const PER_PAGE = 50;

const subjectOf = ({ subject }: Pick<NamedAlert, 'subject'>): string => subject || WORDS.further;
const nameOf = (alert: Pick<NamedAlert, 'subject' | 'domain'>) => `${subjectOf(alert)} on ${alert.domain}`;

const ActForm = (props: {
  readonly act: typeof acknowledge | typeof unacknowledge;
  readonly alert: OpenSiteAlert;
  readonly filters: Filters;
  readonly children?: Child;
}) => {
  const { act, alert, filters, children } = props;
  const { domain, subject } = alert;
  const target = { license: licenseName(alert.licenseId), domain, subject, seen: markOf(alert) };
  return (
    <ActButton act={act} path={PATH} query={filters} subject={nameOf(alert)} target={target}>
      {children}
    </ActButton>
  );
};

/** Who has acknowledged an alert and what was noted, for those who act on alerts. */
const Acknowledgement = ({
  alert,
  filters,
  note,
}: {
  readonly alert: OpenSiteAlert;
  readonly filters: Filters;
  readonly note: string | undefined;
}) =>
  alert.acknowledgedAt === null ? (
    <ActForm act={acknowledge} alert={alert} filters={filters}>
      <input
        name="note"
        value={note}
        aria-label={WORDS.note(nameOf(alert))}
        placeholder={WORDS.noteHint}
        maxlength={ALERT_NOTE_CHARACTERS_MAX}
        autocomplete="off"
      />
    </ActForm>
  ) : (
    <Fragment>
      <Time at={alert.acknowledgedAt} />
      {` ${alert.acknowledgedBy ?? ''} ${alert.acknowledgedNote ?? ''}`}
      <ActForm act={unacknowledge} alert={alert} filters={filters} />
    </Fragment>
  );

const isOf = ({ license, domain, subject }: Form, alert: OpenSiteAlert): boolean =>
  license === licenseName(alert.licenseId) && domain === alert.domain && subject === alert.subject;

function Row(props: {
  readonly alert: OpenSiteAlert;
  readonly filters: Filters;
  readonly mayAct: boolean;
  readonly now: number;
  /** What was typed into the form of an act that was refused. */
  readonly typed: Form;
}) {
  const { alert, filters, mayAct, now, typed } = props;
  const { domain, licenseId, severity, criticalAt, highAt, acknowledgedAt } = alert;
  const told = {
    license: licenseName(licenseId),
    ...{ domain, type: alert.subject || undefined, since: iso(now - ALERT_OPEN_DAYS * DAY_MS) },
  };
  return (
    <tr>
      <th scope="row">{domain}</th>
      <td>
        <LicenseLink id={licenseId} />
      </td>
      <td>{subjectOf(alert)}</td>
      <td>{severity}</td>
      <td>
        {criticalAt === null ? null : (
          <div>
            {`${WORDS.criticalAt} `}
            <Time at={criticalAt} />
          </div>
        )}
        {highAt === null ? null : (
          <div>
            {`${WORDS.highAt} `}
            <Time at={highAt} />
          </div>
        )}
      </td>
      <td>
        <a href={addressOf(EVENTS_PATH, told)} aria-label={WORDS.evidence(nameOf(alert))}>
          {WORDS.evidenceShort}
        </a>
      </td>
      <td>
        {mayAct ? (
          <Acknowledgement
            alert={alert}
            filters={filters}
            note={isOf(typed, alert) ? typed.note : undefined}
          />
        ) : null}
        {!mayAct && acknowledgedAt !== null ? <Time at={acknowledgedAt} /> : null}
      </td>
    </tr>
  );
}

const FilterForm = ({ filters }: { readonly filters: Filters }) => (
  <FilterBar action={PATH}>
    <Choice
      label={WORDS.severity}
      name="severity"
      value={filters.severity}
      of={SEVERITIES}
      none={TEXTS.none}
    />
    <Choice
      label={WORDS.state}
      name="state"
      value={filters.state}
      of={STATES.map((state) => [state, WORDS.states[state]] as const)}
      none={TEXTS.none}
    />
    <SiteFields filters={filters} />
  </FilterBar>
);

/** What may need somebody, on the sites of all licenses; operators acknowledge it. */
export const alertPages = (parts: PageActParts & HasNotices) => {
  const { db, clock, config, notices } = parts;
  const openAlerts = readOpenAlerts(db);

  const read = async (asked: Filters, now: number) => {
    const sites = readSiteFilters(asked, config);
    if (isProblem(sites)) return sites;
    const from = asked.cursor === undefined ? undefined : parseAlertCursor(asked.cursor);
    if (asked.cursor !== undefined && from === undefined) return { problem: TEXTS.siteFilters.noCursor };
    const state = oneOfFilter(STATES, asked.state);
    const isAcknowledged = state && state === 'yes';
    const filter = { ...sites, severity: oneOfFilter(SEVERITIES, asked.severity), isAcknowledged };
    return openAlerts.page(filter, { from, limit: PER_PAGE }, now);
  };

  const show = async (visit: Visit, refused?: RefusedForm) => {
    const { operator, request, set } = visit;
    const asked = filtersOf(request, [...FILTERS, 'cursor']);
    const { cursor: _, ...filters } = asked;
    const now = clock.now();
    const found = await read(asked, now);
    const { alerts, next } = isProblem(found) ? { alerts: [], next: undefined } : found;
    const wrong = isProblem(found) ? found.problem : undefined;
    const code = refused?.refusal.refused ?? (wrong === undefined ? undefined : 'INVALID_QUERY');
    return showPlace(
      { set, operator },
      PLACES.alerts,
      <Fragment>
        <Problem text={refused?.refusal.message ?? wrong} />
        <p>{WORDS.about}</p>
        <p>
          <a href={EVENTS_PATH}>{WORDS.events}</a>
        </p>
        <FilterForm filters={filters} />
        <Table
          label={WORDS.title}
          columns={[...Object.values(WORDS.columns), WORDS.acknowledgement]}
          none={<p>{next === undefined ? WORDS.none : TEXTS.siteFilters.goOn}</p>}
        >
          {alerts.map((alert) => (
            <Row
              alert={alert}
              filters={filters}
              mayAct={hasRole(operator.role, 'operator')}
              now={now}
              typed={refused?.form ?? {}}
            />
          ))}
        </Table>
        <More href={next && addressOf(PATH, { ...filters, cursor: alertCursor(next) })} />
      </Fragment>,
      { notices: notices.take(visit, PATH), refused: code },
    );
  };

  return [
    getAt(PATH, page(parts, 'viewer', show)),
    ...pageActs<TargetAlert, PlannedFacts>(parts, {
      path: PATH,
      role: 'operator',
      acts: [acknowledge, unacknowledge],
      find: alertIn,
      refused: show,
      done(visit, act, { domain = '', subject = '' }) {
        notices.leave(visit, PATH, { words: `${nameOf({ subject, domain })} ${act.done}.` });
        return addressOf(PATH, filtersOf(visit.request, FILTERS));
      },
    }),
  ];
};

/** @throws Refusal for what names no alert, or has a note that cannot be kept */
function alertIn({ license = '', domain = '', subject = '', seen = '', note = '' }: Form): TargetAlert {
  const licenseId = parseLicenseName(license);
  if (licenseId === undefined) throw refuse('ACT_REFUSED', WORDS.notNamed);
  if (note.trim() !== '' && customerNote(note, ALERT_NOTE_CHARACTERS_MAX) === undefined)
    throw refuse('ACT_REFUSED', `${WORDS.noteHint}: ${customerNoteRule(ALERT_NOTE_CHARACTERS_MAX)}.`);
  return { licenseId, domain, subject, seen };
}
