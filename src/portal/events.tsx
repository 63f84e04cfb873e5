/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { Fragment } from 'hono/jsx';
import { isRefusal, notRefused, type Refusal, refuse } from '../domain/refusal.ts';
import { SEVERITIES } from '../domain/severity.ts';
import type { Form } from '../http/form.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { SeverityBadge } from '../pages/badges.tsx';
import { Choice, Field, FilterBar } from '../pages/form.tsx';
import { More, noteWait, Problem } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { EventList } from '../routes/events.ts';
import { ask, askList } from './ask.ts';
import { mayGoOn } from './download.ts';
import { gated } from './gated.tsx';
import { PLACES } from './places.ts';
import { acting, page } from './session.ts';
import { showPlace } from './show-page.tsx';
import { namesOf, SITES_SHOWN, type SiteNames, siteNames } from './site-names.ts';
import { domainOf } from './site-parts.tsx';
import { filledIn, SpanFields, spanOf } from './span.tsx';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.events;
const { path: PATH } = PLACES.events;
const FILTERS = ['site', 'type', 'severity', 'since', 'until'];
/** Checked here, because the API's refusal contains a pattern, which is of no use to people. */
const TYPE = /^[a-z][a-z0-9_]{0,63}$/;
const PER_PAGE = 50;
/** The maximum of the API. */
const PER_CSV_PAGE = 200;
const CSV_COLUMNS = 'received_at occurred_at site type severity message event_id metadata'.split(' ');

type Events = Static<typeof EventList>;
type Event = Events['events'][number];

/** Returns the path of a page of events in the API, or a refusal of the filters. */
function listPath(filters: Filters, limit: number, cursor: string | undefined): string | Refusal {
  const { type } = filters;
  if (type !== undefined && !TYPE.test(type)) return refuse('INVALID_QUERY', WORDS.noType);
  const span = spanOf(filters);
  return isRefusal(span) ? span : addressOf('/events', { ...filters, ...span, limit: String(limit), cursor });
}

const rowOf = (event: Event, names: SiteNames) => [
  <Time at={Date.parse(event.occurred_at)} />,
  <Time at={Date.parse(event.received_at)} />,
  domainOf(names.get(event.site) ?? event.site),
  <span title={event.type}>{worded(event.type)}</span>,
  <SeverityBadge severity={event.severity} />,
  event.message ?? '',
  event.metadata === null ? null : (
    <details>
      <summary>{WORDS.metadata}</summary>
      <code>{JSON.stringify(event.metadata)}</code>
    </details>
  ),
];

const csvRow = (event: Event, names: SiteNames) => [
  event.received_at,
  event.occurred_at,
  names.get(event.site) ?? event.site,
  event.type,
  event.severity,
  event.message,
  event.event_id,
  event.metadata === null ? null : JSON.stringify(event.metadata),
];

/** Returns the first sites, and the chosen one. */
function choicesOf(names: SiteNames, chosen: string | undefined) {
  const first = [...names].slice(0, SITES_SHOWN);
  if (chosen === undefined || first.some(([id]) => id === chosen)) return first;
  return [...first, [chosen, names.get(chosen) ?? chosen] as const];
}

const FilterForm = ({ filters, names }: { readonly filters: Filters; readonly names: SiteNames }) => (
  <FilterBar action={PATH}>
    <Choice
      label={WORDS.site}
      name="site"
      value={filters.site}
      of={choicesOf(names, filters.site)}
      none={TEXTS.none}
    />
    <Field label={WORDS.type} name="type" value={filters.type} hint={WORDS.typeHint} max={64} />
    <Choice
      label={WORDS.severity}
      name="severity"
      value={filters.severity}
      of={SEVERITIES}
      none={TEXTS.none}
    />
    <SpanFields typed={filters} />
  </FilterBar>
);

const Export = ({ filters }: { readonly filters: Filters }) => (
  <form method="post" action={`${PATH}/csv`}>
    {Object.entries(filters).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class="quiet">
      {TEXTS.csv}
    </button>
  </form>
);

/** Pages that list and download the events of a tenant. */
export const eventPages = (parts: PortalParts) => {
  const read = async (visit: Visit, filters: Filters, limit: number, cursor?: string) => {
    const path = listPath(filters, limit, cursor);
    if (isRefusal(path)) return path;
    return askList<Events>(parts, visit, path);
  };

  const show = async (visit: Visit, { cursor, ...filters }: Filters, refusal?: Refusal) => {
    const found = await read(visit, filters, PER_PAGE, cursor);
    const wrong = refusal ?? (isRefusal(found) ? found : undefined);
    if (wrong !== undefined) noteWait(visit.set, wrong);
    const names = await namesOf(parts, visit, isRefusal(found) ? [] : found.events.map(({ site }) => site));
    const children = (
      <Fragment>
        <Problem text={wrong?.message} />
        <p>{WORDS.about}</p>
        <FilterForm filters={filters} names={names} />
        {isRefusal(found) ? null : <Found found={found} filters={filters} names={names} />}
      </Fragment>
    );
    return showPlace(visit, PLACES.events, children, { refused: wrong?.refused });
  };

  async function* rows(visit: Visit, filters: Filters, first: Events) {
    const names = await siteNames(parts, visit);
    for (let list = first; ; ) {
      yield list.events.map((event) => csvRow(event, names));
      if (list.next_cursor === null) return;
      const next = notRefused(listPath(filters, PER_CSV_PAGE, list.next_cursor));
      list = await ask<Events>(parts, visit, next);
    }
  }

  const download = async (visit: Visit, form: Form) => {
    const filters = filledIn(form, FILTERS);
    // Read before the response starts, so that a refusal can be shown as a page.
    const first = await read(visit, filters, PER_CSV_PAGE);
    if (isRefusal(first)) return show(visit, filters, first);
    const file = { name: 'events', header: CSV_COLUMNS, rows: rows(visit, filters, first) };
    try {
      const { downloads } = parts.portal;
      return downloads.answer(visit.set, file, mayGoOn(parts, visit), visit.caller.license.id);
    } catch (error) {
      if (isRefusal(error)) return show(visit, filters, error);
      throw error;
    }
  };

  return [
    getAt(
      PATH,
      page(
        parts,
        gated(parts, PLACES.events, async (visit) =>
          show(visit, filtersOf(visit.request, [...FILTERS, 'cursor'])),
        ),
      ),
    ),
    postAt(`${PATH}/csv`, acting(parts, gated(parts, PLACES.events, download))),
  ];
};

const Found = ({
  found: { events, next_cursor: cursor },
  filters,
  names,
}: {
  found: Events;
  filters: Filters;
  names: SiteNames;
}) => (
  <Fragment>
    <Table
      label={WORDS.title}
      columns={Object.values(WORDS.columns)}
      rows={events.map((event) => rowOf(event, names))}
      head={2}
      none={<p>{cursor === null ? WORDS.none : WORDS.goOn}</p>}
    />
    <More href={cursor === null ? undefined : addressOf(PATH, { ...filters, cursor })} />
    <Export filters={filters} />
  </Fragment>
);
