import { SEVERITIES, type Severity } from '../../src/domain/severity.ts';
import { type AlertFacts, alertsOf, mergeAlerts } from '../../src/domain/site/alerts.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';

interface EventRow {
  readonly id: number;
  readonly license_id: number;
  readonly site_id: number;
  readonly type: string;
  readonly severity: Severity;
  readonly occurred_at: number;
}

type Counts = Record<string, Record<string, number>>;

const rowsOf = async <Row = Record<string, unknown>>(db: Database, sql: string): Promise<Row[]> =>
  prepare<Row>(db, sql).all();

/** The expected rollups, computed from the events alone: by `license/site` and by `license/site/day`. */
export async function recount(db: Database): Promise<{ sites: Counts; days: Counts }> {
  const sites: Counts = {};
  const days: Counts = {};
  for (const { id, license_id } of await rowsOf(db, 'select id, license_id from sites'))
    sites[`${license_id}/${id}`] = { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
  for (const { license_id, site_id, severity, occurred_at } of await rowsOf<EventRow>(
    db,
    'select * from events',
  )) {
    const site = `${license_id}/${site_id}`;
    const day = `${site}/${new Date(occurred_at).toISOString().slice(0, -14)}`;
    days[day] ??= { info: 0, low: 0, medium: 0, high: 0, critical: 0 };
    for (const counts of [sites[site], days[day]]) if (counts) counts[severity] = (counts[severity] ?? 0) + 1;
  }
  return { sites, days };
}

/** The stored rollups. */
export async function rolledUp(db: Database): Promise<{ sites: Counts; days: Counts }> {
  const counts = (row: Record<string, unknown>) =>
    Object.fromEntries(SEVERITIES.map((severity) => [severity, Number(row[severity])]));
  const sites = await rowsOf(db, 'select * from site_summaries');
  const days = await rowsOf(db, 'select * from event_days');
  return {
    sites: Object.fromEntries(sites.map((row) => [`${row.license_id}/${row.site_id}`, counts(row)])),
    days: Object.fromEntries(
      days.map((row) => {
        const day = new Date(Number(row.day) * 86_400_000).toISOString().slice(0, -14);
        return [`${row.license_id}/${row.site_id}/${day}`, counts(row)];
      }),
    ),
  };
}

/** The stored alerts, by site, and the expected ones of the given events. */
export async function storedAlerts(db: Database): Promise<Record<string, AlertFacts[]>> {
  const rows = await rowsOf<AlertFacts & { site_id: number }>(
    db,
    `select site_id, subject, critical_at as "criticalAt", high_at as "highAt", resolved_at as "resolvedAt" from alerts`,
  );
  return Object.fromEntries(
    Object.entries(Object.groupBy(rows, (row) => String(row.site_id))).map(([site, all]) => [
      site,
      (all ?? []).map(({ site_id: _, ...facts }) => facts).sort(bySubject),
    ]),
  );
}

/** The alerts of all events in the database, by site, from the events of each request together. */
export async function retoldAlerts(db: Database): Promise<Record<string, AlertFacts[]>> {
  const events = await rowsOf<EventRow & { occurredAt: number; request: number }>(
    db,
    `select e.*, occurred_at as "occurredAt", first_event_id as request from events e
     join arrivals on e.id between first_event_id and last_event_id order by e.id`,
  );
  const told: Record<string, Map<string, AlertFacts>> = {};
  for (const [, sent] of Map.groupBy(events, (event) => event.request)) {
    for (const facts of alertsOf(sent)) {
      told[sent[0]?.site_id ?? 0] ??= new Map();
      const ofSite = told[sent[0]?.site_id ?? 0];
      const known = ofSite?.get(facts.subject);
      ofSite?.set(facts.subject, known ? mergeAlerts(known, facts) : facts);
    }
  }
  return Object.fromEntries(
    Object.entries(told).map(([site, all]) => [site, [...all.values()].sort(bySubject)]),
  );
}

export const bySubject = (one: AlertFacts, other: AlertFacts): number =>
  one.subject < other.subject ? -1 : 1;

/** The events of each arrival, as ids; and, from the events alone, each event's license and site. */
export const arrivedEvents = (db: Database): Promise<unknown[]> =>
  rowsOf(
    db,
    `select e.id, a.license_id, a.site_id from arrivals a
     left join events e on e.id between a.first_event_id and a.last_event_id
       and e.occurred_at between a.oldest_occurred_at and a.newest_occurred_at order by e.id`,
  );

export const allEvents = (db: Database): Promise<unknown[]> =>
  rowsOf(db, 'select id, license_id, site_id from events order by id');
