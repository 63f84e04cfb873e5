import { DAY_MS } from '../lib/clock.ts';
import type { Severity } from './severity.ts';

/**
 * An alert is one thing on one site that may need somebody's attention. Its subject is the type of its events
 * without the word that tells what became of it: `malware_found` and `malware_quarantined` are both of `malware`.
 * Events of severity `high` or `critical` open it, unless their last word says that the attempt came to nothing.
 * It is open until an event says that it is resolved, or until nothing of it has happened for seven days.
 */
export interface AlertFacts {
  readonly subject: string;
  /** Newest moment of a critical event; milliseconds since the Unix epoch, null = none. */
  readonly criticalAt: number | null;
  readonly highAt: number | null;
  readonly resolvedAt: number | null;
}

/** As much of an event as alerts look at. */
interface AlertedEvent {
  readonly type: string;
  readonly severity: Severity;
  readonly occurredAt: number;
}

export const ALERT_OPEN_DAYS = 7;
/** How long an alert counts as an incident of the past month, open or not. */
export const INCIDENT_DAYS = 30;

/** Last words of a type, by what they tell of its subject. drizzle/*_rollups applies the same to older events. */
export const LAST_WORDS = {
  resolves: ['resolved', 'quarantined', 'removed', 'cleaned', 'cleared', 'fixed', 'patched', 'remediated'],
  handled: ['blocked', 'prevented', 'denied', 'rejected'],
  found: ['found', 'detected', 'suspected', 'confirmed'],
} as const;
const TOLD_BY: ReadonlyMap<string, keyof typeof LAST_WORDS> = new Map(
  (['resolves', 'handled', 'found'] as const).flatMap((told) =>
    LAST_WORDS[told].map((word) => [word, told] as const),
  ),
);

/** What one event tells of an alert; undefined when nothing. */
export function alertOf({ type, severity, occurredAt }: AlertedEvent): AlertFacts | undefined {
  const end = type.lastIndexOf('_');
  const told = end > 0 ? TOLD_BY.get(type.slice(end + 1)) : undefined;
  if (told === 'handled') return undefined;
  if (told !== 'resolves' && severity !== 'critical' && severity !== 'high') return undefined;
  return {
    subject: told === undefined ? type : type.slice(0, end).replace(/_+$/, ''),
    criticalAt: told !== 'resolves' && severity === 'critical' ? occurredAt : null,
    highAt: told !== 'resolves' && severity === 'high' ? occurredAt : null,
    resolvedAt: told === 'resolves' ? occurredAt : null,
  };
}

/** Two tellings of one alert as one. The order in which they arrived does not matter. */
export const mergeAlerts = (one: AlertFacts, other: AlertFacts): AlertFacts => ({
  subject: one.subject,
  criticalAt: later(one.criticalAt, other.criticalAt),
  highAt: later(one.highAt, other.highAt),
  resolvedAt: later(one.resolvedAt, other.resolvedAt),
});

/** What events tell of alerts, one entry for each subject. */
export function alertsOf(events: Iterable<AlertedEvent>): AlertFacts[] {
  const bySubject = new Map<string, AlertFacts>();
  for (const event of events) {
    const told = alertOf(event);
    if (told === undefined) continue;
    const known = bySubject.get(told.subject);
    bySubject.set(told.subject, known === undefined ? told : mergeAlerts(known, told));
  }
  return [...bySubject.values()];
}

/** An alert that is open. */
export interface OpenAlert {
  readonly subject: string;
  readonly severity: 'high' | 'critical';
  readonly lastOccurredAt: number;
}

/**
 * An alert by its worst event since it was last resolved and within the last seven days; undefined when it is
 * not open. At the same moment, a resolution wins.
 */
export function openAlert(facts: AlertFacts, nowMs: number): OpenAlert | undefined {
  const { subject, criticalAt, highAt, resolvedAt } = facts;
  const since = Math.max(resolvedAt ?? -Infinity, nowMs - ALERT_OPEN_DAYS * DAY_MS);
  const lastOccurredAt = later(criticalAt, highAt);
  if (lastOccurredAt === null || lastOccurredAt <= since) return undefined;
  return { subject, severity: isAfter(criticalAt, since) ? 'critical' : 'high', lastOccurredAt };
}

/** How severe it was within the last 30 days, resolved or not; undefined when it is older. */
export function incidentSeverity(facts: AlertFacts, nowMs: number): 'high' | 'critical' | undefined {
  const since = nowMs - INCIDENT_DAYS * DAY_MS;
  if (isAfter(facts.criticalAt, since)) return 'critical';
  return isAfter(facts.highAt, since) ? 'high' : undefined;
}

const isAfter = (at: number | null, since: number): boolean => at !== null && at > since;

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
