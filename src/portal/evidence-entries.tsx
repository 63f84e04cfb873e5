/** @jsxImportSource hono/jsx */
import type { Static } from '@sinclair/typebox';
import { isRefusal, type Refusal } from '../domain/refusal.ts';
import { DAY_MS, iso } from '../lib/clock.ts';
import { More, whole } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { addressOf } from '../pages/query.ts';
import { TableCard } from '../pages/table.tsx';
import { Time } from '../pages/time.tsx';
import type { EntryList } from '../routes/evidence-entries.ts';
import { askList } from './ask.ts';
import { PLACES } from './places.ts';
import type { SiteNames } from './site-names.ts';
import { TEXTS } from './texts.ts';
import type { PortalParts, Visit } from './visit.ts';

const WORDS = TEXTS.evidence;
const PER_PAGE = '20';
/** Only recent entries are shown, because the API lists the oldest first. */
const DAYS_SHOWN = 7;

type Entries = Static<typeof EntryList>;

/** The JSON text of an entry. */
interface EntryText {
  readonly type: string;
  readonly at: string;
  readonly site_id: string | null;
  readonly data: object;
}

/** Reads a page of entries, starting some days before the newest one. */
export function readEntries(
  parts: PortalParts,
  visit: Visit,
  { lastAt, cursor }: { readonly lastAt: string; readonly cursor: string | undefined },
): Promise<Entries | Refusal> {
  const since = iso(Date.parse(lastAt) - DAYS_SHOWN * DAY_MS);
  const path = addressOf('/evidence/entries', { since, limit: PER_PAGE, cursor });
  return askList<Entries>(parts, visit, path);
}

const rowOf = ({ index, entry }: Entries['entries'][number], names: SiteNames) => {
  if (entry === null) return [whole(index), '', '', '', WORDS.forgotten];
  const { type, at, site_id: site, data } = JSON.parse(entry) as EntryText;
  const of = site === null ? '' : (names.get(site) ?? site);
  const details = (
    <details>
      <summary>{WORDS.data}</summary>
      <code>{JSON.stringify(data)}</code>
    </details>
  );
  return [whole(index), worded(type), <Time at={Date.parse(at)} />, of, details];
};

/** The newest entries. */
export function EntriesCard({ found, names }: { found: Entries | Refusal; names: SiteNames }) {
  if (isRefusal(found)) return null;
  const { entries, next_cursor: cursor } = found;
  return (
    <TableCard
      label={WORDS.entries}
      none={cursor === null ? WORDS.none : WORDS.goOn}
      columns={Object.values(WORDS.entryColumns)}
      rows={entries.map((entry) => rowOf(entry, names))}
    >
      <p class="quiet">{WORDS.lastDays(DAYS_SHOWN)}</p>
      <More href={cursor === null ? undefined : addressOf(PLACES.evidence.path, { cursor })} />
    </TableCard>
  );
}
