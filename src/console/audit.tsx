/** @jsxImportSource hono/jsx */
import { Fragment } from 'hono/jsx';
import { licenseName, parseLicenseName } from '../domain/license/license-name.ts';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import { getAt, postAt } from '../http/route/endpoint.ts';
import { DAY_MS, HOUR_MS, iso, MINUTE_MS } from '../lib/clock.ts';
import { counted } from '../lib/counted.ts';
import {
  AUDIT_COLUMNS,
  type AuditFilter,
  auditCells,
  eachAuditEntry,
  exportAudit,
  listAudit,
} from '../operator/list-audit.ts';
import { auditSubject, changedFacts } from '../operator/shown-audit-entry.ts';
import { Field, FilterBar } from '../pages/form.tsx';
import { More, Problem } from '../pages/html.tsx';
import { worded } from '../pages/identifier-words.ts';
import { addressOf, type Filters, filtersOf } from '../pages/query.ts';
import { Table } from '../pages/table.tsx';
import { exactTime, Time } from '../pages/time.tsx';
import type { ActingParts } from '../routes/admin/fields/act.ts';
import type { Parts } from '../routes/parts.ts';
import type { Database } from '../storage/engine/database.ts';
import type { KeptAuditEntry } from '../storage/operators/audit.ts';
import { createActs } from './act.ts';
import { actorWords } from './history-words.ts';
import { LicenseLink } from './license-link.tsx';
import { PLACES } from './places.ts';
import { showPlace } from './show-page.tsx';
import { TEXTS } from './texts.ts';
import { acting, answerFile, type HasDownloads, page, type Visit, type VisitParts } from './visit.ts';

const { path: PATH } = PLACES.audit;
const CSV_PATH = `${PATH}/csv`;
const WORDS = TEXTS.audit;
const FILTERS = ['subject', 'actor', 'since', 'cursor'];
const PAGE_ENTRIES = 50;
const ID = /^[1-9]\d{0,14}$/;

/** Parses the filters, or returns a refusal. */
function filterIn({ subject, actor, since }: Filters): AuditFilter | Refusal {
  const from = since === undefined ? undefined : startOf(since);
  return Number.isNaN(from)
    ? refuse('INVALID_QUERY', WORDS.noDay)
    : { subject: subject && auditSubject(subject), actor, since: from };
}

/** Returns the start of a day such as 2027-01-31 in UTC, in milliseconds since the Unix epoch; NaN if it is not a date. */
function startOf(day: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && iso(at).startsWith(day) ? at : Number.NaN;
}

const FilterForm = ({ filters: { subject, actor, since } }: { readonly filters: Filters }) => (
  <FilterBar action={PATH}>
    <Field label={WORDS.subject} name="subject" value={subject} hint={WORDS.subjectHint} max={128} />
    <Field label={WORDS.actor} name="actor" value={actor} hint={WORDS.actorHint} max={128} />
    <label>
      {WORDS.since}
      <input type="date" name="since" value={since ?? ''} />
    </label>
  </FilterBar>
);

function Subject({ of }: { readonly of: string | null }) {
  const id = of === null ? undefined : parseLicenseName(of);
  return id !== undefined && licenseName(id) === of ? <LicenseLink id={id} /> : <Fragment>{of}</Fragment>;
}

/** ISO 8601 timestamps in facts. */
const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SPANS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
] as const;

function spanWords(ms: number): string {
  const [unitMs, unit] = SPANS.find(([each]) => ms > 0 && ms % each === 0) ?? [1_000, 'second'];
  return counted(ms / unitMs, unit);
}

/** Formats a changed fact: `digestMs: 900000` becomes `Digest: 15 minutes`. */
function factWords(fact: string): string {
  const [, name = '', rest = ''] = /^(\w+): (.*)$/s.exec(fact) ?? [];
  if (name === '') return fact;
  const words = worded(
    name.replace(/^is(?=[A-Z])|Ms$/g, '').replace(/(?<=[a-z])[A-Z]/g, (big) => ` ${big.toLowerCase()}`),
  );
  const value = rest
    .replace(/\b(?:true|false)\b/g, (is) => (is === 'true' ? WORDS.yes : WORDS.no))
    .replace(ISO, (moment) => exactTime(Date.parse(moment)));
  return `${words}: ${name.endsWith('Ms') ? value.replace(/\d+/g, (ms) => spanWords(Number(ms))) : value}`;
}

const Row = ({ entry }: { readonly entry: KeptAuditEntry }) => (
  <tr>
    <td data-label={WORDS.columns[0]}>
      <Time at={entry.at} />
    </td>
    <td title={entry.actor} data-label={WORDS.columns[1]}>
      <span class="one">{actorWords(entry.actor)}</span>
    </td>
    <td title={entry.action} data-label={WORDS.columns[2]}>
      {worded(entry.action.replaceAll('.', '-'))}
    </td>
    <td class="word" data-label={WORDS.columns[3]}>
      <Subject of={entry.subject} />
    </td>
    <td data-label={WORDS.columns[4]}>
      <ul class="facts">
        {changedFacts(entry).map((fact) => (
          <li>{factWords(fact)}</li>
        ))}
      </ul>
    </td>
    <td data-label={WORDS.columns[5]}>{entry.reason}</td>
  </tr>
);

function Entries({
  entries,
  isMore,
}: {
  readonly entries: readonly KeptAuditEntry[];
  readonly isMore: boolean;
}) {
  if (entries.length === 0) return <p class="quiet">{isMore ? WORDS.noneHere : WORDS.none}</p>;
  return (
    <Table label={WORDS.title} columns={WORDS.columns}>
      {entries.map((entry) => (
        <Row entry={entry} />
      ))}
    </Table>
  );
}

/** The page and the download of the audit log. */
export const auditPages = (parts: VisitParts & ActingParts & HasDownloads & Parts<'db'>) => {
  const { db } = parts;
  const act = createActs(parts);

  const show = async (visit: Visit, refusal?: Refusal) => {
    const { cursor = '', ...filters } = filtersOf(visit.request, FILTERS);
    const filter = filterIn(filters);
    const problem = refusal ?? (isRefusal(filter) ? filter : undefined);
    const before = ID.test(cursor) ? Number(cursor) : undefined;
    const found = isRefusal(filter)
      ? { entries: [], next: null }
      : await listAudit(db, filter, { before, limit: PAGE_ENTRIES });
    const { subject, actor, since } = filters;
    const own = { subject, actor, since };
    const next = found.next === null ? undefined : addressOf(PATH, { ...own, cursor: String(found.next) });
    return showPlace(
      visit,
      PLACES.audit,
      <Fragment>
        <Problem text={problem?.message} />
        <FilterForm filters={filters} />
        <Entries entries={found.entries} isMore={next !== undefined} />
        <More href={next} />
        <form method="post" action={addressOf(CSV_PATH, own)} class="form">
          <p class="quiet">{WORDS.csvMeans}</p>
          <button type="submit" class="quiet">
            {TEXTS.csv}
          </button>
        </form>
      </Fragment>,
      { refused: problem?.refused },
    );
  };

  const download = acting(parts, 'support', async (visit, form) => {
    const filter = filterIn(filtersOf(visit.request, FILTERS));
    if (isRefusal(filter)) return show(visit, filter);
    const done = await act(visit, { form, role: 'support', plan: (by) => exportAudit(filter, by) });
    if (isRefusal(done)) return show(visit, done);
    return answerFile(parts, visit, { name: 'audit', header: AUDIT_COLUMNS, rows: cellsOf(db, filter) });
  });

  return [getAt(PATH, page(parts, 'support', show)), postAt(CSV_PATH, download)];
};

async function* cellsOf(db: Database, filter: AuditFilter) {
  for await (const entries of eachAuditEntry(db, filter)) yield entries.map(auditCells);
}
