/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { hasRole } from '../domain/admin/operator.ts';
import { licenseName } from '../domain/license/license-name.ts';
import { isRefusal, type RefusalCode } from '../domain/refusal.ts';
import { SEVERITIES } from '../domain/severity.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { iso } from '../lib/clock.ts';
import { parseDayOrTimestamp } from '../lib/timestamp.ts';
import { eachEvent, exportEvents } from '../operator/list-events.ts';
import { SeverityBadge } from '../pages/badges.tsx';
import { Choice, Field, FilterBar } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { addressOf, type Filters, filtersOf, oneOfFilter } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import { type AllEventsFilter, type OperatorsEvent, readAllEvents } from '../storage/sites/all-events.ts';
import { createActs } from './act.ts';
import { LicenseLink } from './license-link.tsx';
import { type LiveParts, liveUpdates } from './live.ts';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { isProblem, type Read, readSiteFilters, SiteFields } from './site-filters.tsx';
import { SiteLink } from './site-link.tsx';
import { TEXTS } from './texts.ts';
import { acting, answerFile, type HasDownloads, page, type Visit, type VisitParts } from './visit.ts';

export const EVENTS_PATH = '/console/events';
const LIVE = `${EVENTS_PATH}/live`;

const WORDS = TEXTS.events;
const FILTERS = ['license', 'domain', 'type', 'severity', 'since'];
const PER_PAGE = 50;
const TYPE_CHARACTERS_MAX = 64;
const CSV_COLUMNS = 'received_at occurred_at license_id domain type severity message event_id metadata'.split(
  ' ',
);

/** Parses the filters, or returns a problem. */
function readFilters(asked: Filters, config: VisitParts['config']): Read<AllEventsFilter> {
  const sites = readSiteFilters(asked, config);
  if (isProblem(sites)) return sites;
  const since = asked.since === undefined ? undefined : parseDayOrTimestamp(asked.since);
  if (asked.since !== undefined && since === undefined) return { problem: TEXTS.siteFilters.noMoment };
  const severity = oneOfFilter(SEVERITIES, asked.severity);
  if (asked.severity !== undefined && severity === undefined) return { problem: WORDS.noSeverity };
  if ((asked.type?.length ?? 0) > TYPE_CHARACTERS_MAX) return { problem: WORDS.noType };
  return { ...sites, type: asked.type, severity, since };
}

const Row = ({ event }: { readonly event: OperatorsEvent }) => (
  <tr>
    <td data-label={WORDS.columns.occurred}>
      <Time at={event.occurredAt} />
    </td>
    <td data-label={WORDS.columns.received}>
      <Time at={event.receivedAt} />
    </td>
    <th scope="row">
      <SiteLink licenseId={event.licenseId} domain={event.domain} />
    </th>
    <td data-label={WORDS.columns.license}>
      <LicenseLink id={event.licenseId} />
    </td>
    <td title={event.type} data-label={WORDS.columns.type}>
      {worded(event.type)}
    </td>
    <td data-label={WORDS.columns.severity}>
      <SeverityBadge severity={event.severity} />
    </td>
    <td data-label={WORDS.columns.message}>{event.message ?? ''}</td>
    <td data-label={WORDS.columns.metadata}>
      {event.metadata === null ? null : (
        <details>
          <summary>{WORDS.metadata}</summary>
          <code>{event.metadata}</code>
        </details>
      )}
    </td>
  </tr>
);

const FilterForm = ({ filters }: { readonly filters: Filters }) => (
  <FilterBar action={EVENTS_PATH}>
    <Field label={WORDS.type} name="type" value={filters.type} hint={WORDS.typeHint} max={64} />
    <Choice
      label={WORDS.severity}
      name="severity"
      value={filters.severity}
      of={SEVERITIES}
      none={TEXTS.none}
    />
    <SiteFields filters={filters} />
    <Field label={WORDS.since} name="since" value={filters.since} hint={WORDS.sinceHint} max={40} />
  </FilterBar>
);

const Export = ({ filters }: { readonly filters: Filters }) =>
  filters.license === undefined && filters.since === undefined ? (
    <p class="quiet">{WORDS.csvNeeds}</p>
  ) : (
    <form method="post" action={`${EVENTS_PATH}/csv`}>
      {Object.entries(filters).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class="quiet">
        {TEXTS.csv}
      </button>
    </form>
  );

const csvRow = (event: OperatorsEvent) => [
  iso(event.receivedAt),
  iso(event.occurredAt),
  licenseName(event.licenseId),
  event.domain,
  event.type,
  event.severity,
  event.message,
  event.eventId,
  event.metadata,
];

/** The page and the download of events of all licenses. */
export const eventPages = (parts: LiveParts & ActingParts & HasDownloads & Parts<'db'>) => {
  const { db, config } = parts;
  const all = readAllEvents(db);
  const act = createActs(parts);

  const read = async (asked: Filters) => {
    const filter = readFilters(asked, config);
    if (isProblem(filter)) return filter;
    const { cursor } = asked;
    if (cursor !== undefined && !/^[1-9]\d{0,14}$/.test(cursor))
      return { problem: TEXTS.siteFilters.noCursor };
    const beforeId = cursor === undefined ? undefined : Number(cursor);
    return all.page(filter, { beforeId, limit: PER_PAGE });
  };

  const show = async ({ operator, request, set }: Visit, problem?: string, refused?: RefusalCode) => {
    const asked = filtersOf(request, [...FILTERS, 'cursor']);
    const { cursor, ...filters } = asked;
    const newestId = await all.newestId();
    const found = await read(asked);
    // Only the first page is live, and not if it answers a form.
    const live = cursor === undefined && problem === undefined ? LIVE : undefined;
    const { events, nextBeforeId: next } = isProblem(found) ? { events: [], nextBeforeId: undefined } : found;
    const wrong = isProblem(found) ? found.problem : undefined;
    return showPlace(
      { set, operator },
      PLACES.events,
      <Fragment>
        <Problem text={problem ?? wrong} />
        <p>{WORDS.about}</p>
        <p>
          <a href={PLACES.alerts.path}>{WORDS.alerts}</a>
        </p>
        <FilterForm filters={filters} />
        <div data-live={live} data-seen={String(newestId)}>
          <Table
            label={WORDS.title}
            columns={Object.values(WORDS.columns)}
            none={<p>{next === undefined ? WORDS.none : TEXTS.siteFilters.goOn}</p>}
          >
            {events.map((event) => (
              <Row event={event} />
            ))}
          </Table>
          <More
            href={next === undefined ? next : addressOf(EVENTS_PATH, { ...filters, cursor: String(next) })}
          />
        </div>
        {hasRole(operator.role, 'support') ? <Export filters={filters} /> : null}
      </Fragment>,
      {
        title: WORDS.title,
        refused: refused ?? (wrong === undefined ? undefined : 'INVALID_QUERY'),
      },
    );
  };

  const download = acting(parts, 'support', async (visit, form) => {
    const asked = Object.fromEntries(
      Object.entries(form).filter(([name, value]) => FILTERS.includes(name) && value.trim() !== ''),
    );
    const filter = readFilters(asked, config);
    if (isProblem(filter)) return show(visit, filter.problem, 'INVALID_QUERY');
    const done = await act(visit, { form, role: 'support', plan: (by) => exportEvents(filter, by) });
    if (isRefusal(done)) return show(visit, done.message, done.refused);
    return answerFile(parts, visit, { name: 'events', header: CSV_COLUMNS, rows: rows(filter) });
  });
  async function* rows(filter: AllEventsFilter) {
    for await (const some of eachEvent(db, filter)) yield some.map(csvRow);
  }

  return [
    getAt(EVENTS_PATH, page(parts, 'viewer', show)),
    getAt(
      LIVE,
      liveUpdates(parts, async () => String(await all.newestId())),
    ),
    postAt(`${EVENTS_PATH}/csv`, download),
  ];
};
