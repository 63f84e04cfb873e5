/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { EVIDENCE_TYPES } from '../domain/evidence/entry.ts';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import { Choice, Field } from '../pages/form.tsx';
import { More, Time, whole } from '../pages/html.tsx';
import { addressOf, type Filters } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import type { EntryList } from '../routes/evidence-entries.ts';
import { askUnless } from './ask.ts';
import { PLACES } from './places.ts';
import type { SiteNames } from './site-names.ts';
import { spanOf } from './span.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.evidence;
const { path: PATH } = PLACES.evidence;
export const ENTRY_FILTERS = ['type', 'since', 'until'];
const PER_PAGE = '20';
/** The interface has the oldest entries first; people ask for what is new. */
const DAYS_SHOWN = 7;

type Entries = Static<typeof EntryList>;

/** What the text of an entry says. */
interface Told {
  readonly type: string;
  readonly at: string;
  readonly site_id: string | null;
  readonly data: object;
}

/**
 * A page of entries, of the last days unless the filters name others.
 *
 * @param lastAt when the newest one was written
 */
export async function readEntries(
  parts: PortalParts,
  visit: Visit,
  filters: Filters,
  lastAt: string,
): Promise<Entries | Refusal> {
  const span = spanOf(filters);
  if (isRefusal(span)) return span;
  const recent = isRecent(filters) ? { since: iso(Date.parse(lastAt) - DAYS_SHOWN * DAY_MS) } : {};
  const query = { ...filters, ...span, ...recent, limit: PER_PAGE };
  return askUnless<Entries>(['INVALID_QUERY'], parts, visit, addressOf('/evidence/entries', query));
}

const isRecent = ({ since, until, cursor }: Filters): boolean =>
  since === undefined && until === undefined && cursor === undefined;

const rowOf = ({ index, entry }: Entries['entries'][number], names: SiteNames) => {
  if (entry === null) return [whole(index), '', '', '', WORDS.forgotten];
  const { type, at, site_id: site, data } = JSON.parse(entry) as Told;
  return [
    whole(index),
    type,
    <Time at={Date.parse(at)} />,
    site === null ? '' : (names.get(site) ?? site),
    <code>{JSON.stringify(data)}</code>,
  ];
};

/** The entries of a page, and the form that asks for others. */
export const EntriesCard = ({
  found,
  filters: asked,
  names,
}: {
  /** Left out where the filters are malformed. */
  readonly found: Entries | undefined;
  readonly filters: Filters;
  readonly names: SiteNames;
}) => {
  const { cursor: _, ...filters } = asked;
  return (
    <section class="card wide">
      <h2>{WORDS.entries}</h2>
      <p class="quiet">{isRecent(asked) ? WORDS.lastDays(DAYS_SHOWN) : WORDS.order}</p>
      <form method="get" action={PATH} class="filters">
        <Choice label={WORDS.type} name="type" value={filters.type} of={EVIDENCE_TYPES} none={TEXTS.none} />
        <Field label={WORDS.since} name="since" value={filters.since} hint={TEXTS.events.dayHint} max={40} />
        <Field label={WORDS.until} name="until" value={filters.until} hint={TEXTS.events.dayHint} max={40} />
        <button type="submit">{TEXTS.filter}</button>
      </form>
      {found === undefined ? null : found.entries.length === 0 ? (
        <p>{found.next_cursor === null ? WORDS.noEntries : WORDS.goOn}</p>
      ) : (
        <Table
          label={WORDS.entries}
          columns={Object.values(WORDS.entryColumns)}
          rows={found.entries.map((entry) => rowOf(entry, names))}
        />
      )}
      <More
        href={found?.next_cursor ? addressOf(PATH, { ...filters, cursor: found.next_cursor }) : undefined}
      />
    </section>
  );
};
