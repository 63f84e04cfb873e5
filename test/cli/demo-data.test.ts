import { expect, test } from 'bun:test';
import { CUSTOMERS } from '../../src/cli/demo/customers.ts';
import { blockedOn, DEMO_DAYS, incidentsOf, randomFrom } from '../../src/cli/demo/events.ts';
import { seedDemo } from '../../src/cli/demo/seed.ts';
import { demoThreats } from '../../src/cli/demo/threats.ts';
import { SEVERITIES } from '../../src/domain/severity.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { makeInstallation } from '../../src/storage/installation/installation.ts';
import { withStore } from '../../src/terminal/store.ts';
import { everyRow } from '../support/copies.ts';
import { processorMs } from '../support/processor-ms.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const NOW = Date.UTC(2026, 10, 28, 14, 5);
const month = (story: 'quiet' | 'attacked', seed = 1) => {
  const random = randomFrom(seed);
  return Array.from({ length: DEMO_DAYS }, (_, daysAgo) => blockedOn(daysAgo, story, random, NOW));
};

/** Keys, hashes and other names that are random in every installation, or long enough to be. */
const RANDOM = /[\w-]{20,}|(?<="key_last4",)"[^"]*"/g;

async function seeded(): Promise<{ readonly rows: Record<string, string[]>; readonly took: number }> {
  const directory = temporaryDirectory();
  makeInstallation(directory);
  const before = processorMs();
  await withStore(loadConfig({ SERVICE_DATA_DIR: directory }), (store) => seedDemo(store, directory, NOW));
  return { rows: everyRow(databasePath(directory)), took: processorMs() - before };
}

test('the demonstration is the same each time but for random names, has everything, and takes less than two seconds', async () => {
  const [one, other] = [await seeded(), await seeded()];
  const steady = (rows: readonly string[] = []) => rows.map((row) => row.replace(RANDOM, '')).sort();
  for (const table of Object.keys(one.rows))
    expect([table, steady(one.rows[table])]).toEqual([table, steady(other.rows[table])]);
  expect(Math.min(one.took, other.took)).toBeLessThan(2_000);

  const valuesOf = (table: string, column: string): Set<unknown> =>
    new Set(one.rows[table]?.map((row) => new Map(JSON.parse(row)).get(column)));
  expect(valuesOf('events', 'severity')).toEqual(new Set(SEVERITIES));
  expect(valuesOf('alerts', 'acknowledged_note')).toEqual(new Set([null, 'ticket 1041']));
  expect(valuesOf('scans', 'type')).toEqual(new Set(['surface', 'assessment']));
  expect(valuesOf('scans', 'failure')).toEqual(new Set([null, 'unreachable']));
  expect(valuesOf('payment_events', 'attempts')).toEqual(new Set(['1']));
  expect(valuesOf('feed_rulings', 'ruling')).toEqual(new Set(['withdrawn', 'allowed']));
  expect(one.rows.sites).toHaveLength(58);
});

test('its days do not differ between two looks, and none is in the future', () => {
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
  const jobs = demoThreats([1, 2, 3, 4, 5, 6, 7], NOW);
  const inputs = jobs.flatMap((job) => (job.name === 'recordThreatReport' ? [job.input] : []));
  const reports = Map.groupBy(inputs, ({ fingerprint }) => fingerprint);
  expect([reports.size, jobs.filter(({ name }) => name === 'ruleOnThreat').length]).toEqual([42, 2]);
  expect(Math.min(...[...reports.values()].map((each) => each.length))).toBe(3);
});
