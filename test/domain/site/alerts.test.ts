import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { SEVERITIES } from '../../../src/domain/severity.ts';
import {
  ALERTS_MAX,
  alertOf,
  alertsOf,
  incidentSeverity,
  leastAlerts,
  MORE_ALERTS,
  openAlert,
  unresolvedCriticalAt,
} from '../../../src/domain/site/alerts.ts';
import { DAY_MS } from '../../../src/lib/clock.ts';

const event = fc.record({
  type: fc.constantFrom('malware_found', 'malware_resolved', 'malware', 'malware_blocked', 'rce'),
  severity: fc.constantFrom(...SEVERITIES),
  occurredAt: fc.integer({ min: 0, max: 40 }).map((days) => days * DAY_MS),
});
const bySubject = (one: { subject: string }, other: { subject: string }) =>
  one.subject < other.subject ? -1 : 1;

test('the order and repetition of events do not matter where their moments decide', () => {
  fc.assert(
    fc.property(fc.uniqueArray(event, { selector: ({ occurredAt }) => occurredAt }), (events) => {
      const alerts = alertsOf(events).sort(bySubject);
      expect(alertsOf([...events.toReversed(), ...events]).sort(bySubject)).toEqual(alerts);
    }),
  );
});

test('an open alert is an incident of the month, with at least its severity', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      for (const facts of alertsOf(events)) {
        const open = openAlert(facts, 40 * DAY_MS);
        const incident = incidentSeverity(facts, 40 * DAY_MS);
        if (open?.severity === 'critical') expect(incident).toBe('critical');
        else if (open) expect(incident).toBeDefined();
      }
    }),
  );
});

describe('the effect of one event', () => {
  const effectOf = (type: string, severity: (typeof SEVERITIES)[number] = 'high') => {
    const facts = alertOf({ type, severity, occurredAt: 5 });
    return (
      facts &&
      `${facts.subject}:${facts.criticalAt ? 'c' : ''}${facts.highAt ? 'h' : ''}${facts.resolvedAt ? 'r' : ''}`
    );
  };
  test.each([
    ['malware_found', 'critical', 'malware:c'],
    ['malware_detected', 'high', 'malware:h'],
    ['malware_found', 'medium', undefined],
    ['malware_quarantined', 'info', 'malware:r'],
    ['malware_quarantined', 'critical', 'malware:r'],
    ['web_shell__removed', 'info', 'web_shell:r'],
    ['attack_blocked', 'critical', undefined],
    ['backup_failed', 'high', 'backup_failed:h'],
    ['resolved', 'high', 'resolved:h'],
    ['found_', 'high', 'found:h'],
    ['malware_', 'high', 'malware:h'],
    ['malware__resolved_', 'info', 'malware:r'],
    ['malware_blocked__', 'critical', undefined],
  ] as const)('%s of severity %s', (type, severity, expected) => {
    expect(effectOf(type, severity)).toBe(expected as string);
  });
});

test('the alert of the longest type can be closed by any resolving word', () => {
  const [long, other] = ['a'.repeat(64), `${'b'.repeat(51)}__${'b'.repeat(11)}`];
  for (const type of [long, other]) {
    const subject = alertOf({ type, severity: 'high', occurredAt: 5 })?.subject ?? '';
    const closing = `${subject}_quarantined`;
    expect(closing.length).toBeLessThanOrEqual(64);
    expect(alertOf({ type: closing, severity: 'info', occurredAt: 6 })).toMatchObject({
      subject,
      resolvedAt: 6,
    });
  }
});

test('of several events of one moment in a request, the last one counts', () => {
  const word = fc.constantFrom('found', 'resolved');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), (words) => {
      const [facts] = alertsOf(
        words.map((each) => ({ type: `malware_${each}`, severity: 'high' as const, occurredAt: 5 })),
      );
      expect(facts && openAlert(facts, 6) !== undefined).toBe(words.at(-1) === 'found');
    }),
  );
});

test('too many alerts are dropped: closed ones first, then high before critical, the oldest first', () => {
  const now = 100 * DAY_MS;
  const row = (subject: string, more: object) => ({
    subject,
    criticalAt: null,
    highAt: null,
    resolvedAt: null,
    ...more,
  });
  const kept = Array.from({ length: ALERTS_MAX - 2 }, (_, index) =>
    row(`kept_${index}`, { criticalAt: now }),
  );
  const left = [
    row('high_young', { highAt: now - 2 }),
    row('high_old', { highAt: now - 3 }),
    row('closed', { criticalAt: now - 1, resolvedAt: now }),
    row('critical_old', { criticalAt: now - 4 }),
    row('outlived', { criticalAt: now - 8 * DAY_MS }),
    row(MORE_ALERTS, { criticalAt: now - 9 * DAY_MS }),
  ];
  const least = leastAlerts([...left, ...kept], now).map(({ subject }) => subject);
  expect(least).toEqual(['high_old', 'closed', 'outlived']);
});

test('an alert is as severe as its worst event since it was resolved', () => {
  const facts = { subject: 'x', criticalAt: 10, highAt: 30, resolvedAt: 20 };
  expect(openAlert(facts, 40)).toEqual({ subject: 'x', severity: 'high', lastOccurredAt: 30 });
  expect(openAlert({ ...facts, resolvedAt: 9 }, 40)?.severity).toBe('critical');
  expect(openAlert({ ...facts, resolvedAt: 30 }, 40)).toBeUndefined();
});

test('the newest critical event counts until something resolves it, at any age', () => {
  const alert = { subject: 'malware', highAt: 9 * DAY_MS, resolvedAt: null };
  expect(unresolvedCriticalAt([])).toBeNull();
  expect(unresolvedCriticalAt([{ ...alert, criticalAt: null }])).toBeNull();
  expect(unresolvedCriticalAt([{ ...alert, criticalAt: 5, resolvedAt: 5 }])).toBeNull();
  const two = [
    { ...alert, criticalAt: 5, resolvedAt: 4 },
    { ...alert, criticalAt: 7 },
  ];
  expect(unresolvedCriticalAt(two)).toBe(7);
});
