import { DAY_MS } from '../../lib/clock.ts';
import type { Severity } from '../severity.ts';

/**
 * An alert is one issue on one site that may need attention. Its subject is the type of its events without the last word, which
 * is the outcome: `malware_found` and `malware_quarantined` are both about `malware`. Events of severity `high` or `critical`
 * open it, unless their last word says that the attempt failed. It is open until an event resolves it, or until seven days
 * without an event.
 */
export interface AlertFacts {
  readonly subject: string;
  /** Newest moment of a critical event; milliseconds since the Unix epoch, null = none. */
  readonly criticalAt: number | null;
  readonly highAt: number | null;
  readonly resolvedAt: number | null;
}

/** The fields of an event that alerts use. */
interface AlertedEvent {
  readonly type: string;
  readonly severity: Severity;
  readonly occurredAt: number;
}

/** Limit of stored alerts of one site, so that no key can fill the disk. */
export const ALERTS_MAX = 50;
/** The subject of open alerts removed at the limit, with their times; no event has this subject. */
export const MORE_ALERTS = '';

/** So that `_` and the longest word that resolves it have room in a type of 64 characters; the rest of longer ones is cut off. */
export const SUBJECT_CHARACTERS_MAX = 52;

export const ALERT_OPEN_DAYS = 7;
/** How long an alert counts as an incident of the past month, open or not. */
export const INCIDENT_DAYS = 30;

/** Last words of a type, by their meaning for its subject. */
export const LAST_WORDS = {
  resolves: ['resolved', 'quarantined', 'removed', 'cleaned', 'cleared', 'fixed', 'patched', 'remediated'],
  handled: ['blocked', 'prevented', 'denied', 'rejected'],
  found: ['found', 'detected', 'suspected', 'confirmed'],
} as const;
const MEANING_OF: ReadonlyMap<string, keyof typeof LAST_WORDS> = new Map(
  (['resolves', 'handled', 'found'] as const).flatMap((meaning) =>
    LAST_WORDS[meaning].map((word) => [word, meaning] as const),
  ),
);

/** The alert of one event; undefined without one. */
export function alertOf({ type, severity, occurredAt }: AlertedEvent): AlertFacts | undefined {
  const words = type.replace(/(?<!_)_+$/, '');
  const end = words.lastIndexOf('_');
  const meaning = end > 0 ? MEANING_OF.get(words.slice(end + 1)) : undefined;
  if (meaning === 'handled') return undefined;
  if (meaning !== 'resolves' && severity !== 'critical' && severity !== 'high') return undefined;
  return {
    subject: subjectOf(meaning === undefined ? words : words.slice(0, end)),
    criticalAt: meaning !== 'resolves' && severity === 'critical' ? occurredAt : null,
    highAt: meaning !== 'resolves' && severity === 'high' ? occurredAt : null,
    resolvedAt: meaning === 'resolves' ? occurredAt : null,
  };
}

const subjectOf = (words: string): string => words.slice(0, SUBJECT_CHARACTERS_MAX).replace(/(?<!_)_+$/, '');

/** Merges two states of one alert, in any order. */
export const mergeAlerts = (one: AlertFacts, other: AlertFacts): AlertFacts => ({
  subject: one.subject,
  criticalAt: later(one.criticalAt, other.criticalAt),
  highAt: later(one.highAt, other.highAt),
  resolvedAt: later(one.resolvedAt, other.resolvedAt),
});

/** The same for the events of one request, whose order decides between events of the same moment. */
function followUp(known: AlertFacts, reported: AlertFacts): AlertFacts {
  const happenedAt = later(reported.criticalAt, reported.highAt);
  const happenedAfter = happenedAt !== null && happenedAt === known.resolvedAt;
  return mergeAlerts(happenedAfter ? { ...known, resolvedAt: happenedAt - 1 } : known, reported);
}

/** The alerts of one request's events, one entry for each subject. */
export function alertsOf(events: Iterable<AlertedEvent>): AlertFacts[] {
  const bySubject = new Map<string, AlertFacts>();
  for (const event of events) {
    const reported = alertOf(event);
    if (reported === undefined) continue;
    const known = bySubject.get(reported.subject);
    bySubject.set(reported.subject, known === undefined ? reported : followUp(known, reported));
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
 * not open. At the same moment, a resolution from another request wins.
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

/** The alerts of a site over the limit: closed ones first, then high before critical, then the oldest. */
export function leastAlerts(alerts: readonly AlertFacts[], nowMs: number): AlertFacts[] {
  const weight = (facts: AlertFacts) => ['high', 'critical'].indexOf(openAlert(facts, nowMs)?.severity ?? '');
  const newest = ({ criticalAt, highAt, resolvedAt }: AlertFacts) =>
    later(later(criticalAt, highAt), resolvedAt) ?? 0;
  return alerts
    .filter(({ subject }) => subject !== MORE_ALERTS)
    .sort((one, other) => weight(other) - weight(one) || newest(other) - newest(one))
    .slice(ALERTS_MAX);
}

/** The time of the newest unresolved critical event, open or not; null = none. */
export function unresolvedCriticalAt(alerts: readonly AlertFacts[]): number | null {
  const moments = alerts.flatMap(({ criticalAt, resolvedAt }) =>
    criticalAt !== null && isAfter(criticalAt, resolvedAt ?? -Infinity) ? criticalAt : [],
  );
  return moments.length === 0 ? null : Math.max(...moments);
}

/** The state of a site's alerts. */
export interface AlertStanding {
  readonly openAlerts: readonly OpenAlert[];
  /** Whether further alerts, open within the last seven days, were removed at the limit. */
  readonly moreAlerts: boolean;
}

export function standingOf(alerts: readonly AlertFacts[], nowMs: number): AlertStanding {
  const open = alerts.flatMap((facts) => openAlert(facts, nowMs) ?? []);
  const openAlerts = open.filter(({ subject }) => subject !== MORE_ALERTS);
  return { openAlerts, moreAlerts: openAlerts.length < open.length };
}

const isAfter = (at: number | null, since: number): boolean => at !== null && at > since;

const later = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
