import { expect, test } from 'bun:test';
import { CUSTOMERS } from '../../src/cli/demo/customers.ts';
import { blockedOn, DEMO_DAYS, incidentsOf, randomFrom } from '../../src/cli/demo/events.ts';
import { demoReports } from '../../src/cli/demo/threats.ts';

const NOW = Date.UTC(2026, 10, 28, 14, 5);
const month = (story: 'quiet' | 'attacked', seed = 1) => {
  const random = randomFrom(seed);
  return Array.from({ length: DEMO_DAYS }, (_, daysAgo) => blockedOn(daysAgo, story, random, NOW));
};

test('the demonstration has the same data each time, and none in the future', () => {
  expect(month('quiet')).toEqual(month('quiet'));
  expect(month('quiet', 2)).not.toEqual(month('quiet'));
  const all = [...month('attacked').flat(), ...incidentsOf('infected', 3, NOW)];
  expect(all.filter(({ occurredAt }) => occurredAt > NOW)).toEqual([]);
});

test('its attacks have one wave', () => {
  const counts = month('attacked').map((events) => events.length);
  const wave = counts.slice(11, 14);
  expect(Math.min(...wave)).toBeGreaterThan(Math.max(...counts.slice(0, 11), ...counts.slice(14)));
});

test('its names are reserved for examples, and each belongs to one customer', () => {
  const domains = CUSTOMERS.flatMap(({ sites }) => sites.map(({ domain }) => domain));
  expect(domains.every((domain) => /^[a-z-]+\.example\.com$/.test(domain))).toBe(true);
  expect(new Set(domains).size).toBe(domains.length);
  expect([CUSTOMERS.length, domains.length > 50]).toEqual([14, true]);
  expect(CUSTOMERS.every(({ email }) => email.endsWith('.example'))).toBe(true);
});

test('each of its threats is reported by enough customers', () => {
  const reports = Map.groupBy(demoReports([1, 2, 3, 4, 5, 6, 7], NOW), ({ fingerprint }) => fingerprint);
  expect(reports.size).toBe(40);
  expect(Math.min(...[...reports.values()].map((each) => each.length))).toBe(3);
});
