import { expect, test } from 'bun:test';
import type { Finding } from '../../../src/operator/doctor/finding.ts';
import { judgePostgresVersion } from '../../../src/operator/doctor/postgres.ts';
import { judgeGrowth, judgeServer, judgeTables } from '../../../src/operator/doctor/postgres-judging.ts';
import { postgresAddress } from '../../../src/settings/database-address.ts';
import type { ServerFacts } from '../../../src/storage/engine/postgres/server-facts.ts';

const NOW = Date.UTC(2027, 0, 1);
const GB = 1_000_000_000;
const SOUND: ServerFacts = {
  now: NOW,
  askedAt: NOW,
  tookMs: 10,
  hasTls: true,
  isReadOnly: false,
  doesFlush: true,
  connectionsMax: 97,
  nodes: 3,
  bytes: GB,
  doesVacuum: true,
};
const REMOTE = postgresAddress('postgres://u@db.example.com/d');
const summaryOf = (findings: readonly Finding[]) => findings.map(({ severity, id }) => `${severity} ${id}`);
const judged = (facts: Partial<ServerFacts>, address = REMOTE) =>
  summaryOf(judgeServer({ ...SOUND, ...facts }, address));

test('a healthy PostgreSQL server has no findings', () => {
  expect(judged({})).toEqual([]);
});

test('a network connection without TLS is an error, and a local one is not', () => {
  const here = ['127.0.0.1/d', 'localhost/d', '[::1]/d', '/d?host=/run/postgresql'];
  expect(judged({ hasTls: false })).toEqual(['error database-tls']);
  for (const place of here)
    expect(judged({ hasTls: false }, postgresAddress(`postgres://${place}`))).toEqual([]);
});

test('a server that is read-only or does not flush changes is an error', () => {
  expect(judged({ isReadOnly: true, doesFlush: false })).toEqual([
    ...['error database-read-only', 'error database-not-durable'],
  ]);
});

test('the clock is compared with that of the database, within the duration of the query', () => {
  const apart = (ms: number, tookMs = 10) => judged({ now: NOW + ms, tookMs });
  expect([apart(4_000), apart(-4_000), apart(6_000, 3_000)]).toEqual([[], [], []]);
  expect([apart(6_000), apart(-6_000)]).toEqual([['warning clock-differs'], ['warning clock-differs']]);
  expect(apart(-301_000)).toEqual(['error clock-differs']);
  const [{ what } = { what: '' }] = judgeServer({ ...SOUND, now: NOW + 60_000 }, REMOTE);
  expect(what).toBe('the clock of this host is 60 seconds behind that of the database');
});

test('fewer connections than the current nodes may need is a warning', () => {
  expect([judged({ nodes: 4 }), judged({ nodes: 5 })]).toEqual([[], ['warning database-connections']]);
  expect(judged({ nodes: 0, connectionsMax: 29 })).toEqual(['warning database-connections']);
});

test('disabled autovacuum, for all tables or one, and more dead rows than live ones are warnings', () => {
  const table = { name: 'generations', live: 1, dead: 100_000, isLeftAlone: false };
  expect(judgeTables(SOUND, [table])).toEqual([]);
  expect(summaryOf(judgeTables({ ...SOUND, doesVacuum: false }, []))).toEqual([
    'warning database-autovacuum',
  ]);
  const [off, dead] = judgeTables(SOUND, [{ ...table, dead: 100_001, isLeftAlone: true }]);
  expect([off?.what, dead?.what]).toEqual([
    expect.stringContaining('is off for generations'),
    'more rows are dead than live: 100001 of generations',
  ]);
});

test('a database that will double within a month, by 10 GB or more, is a warning until retention applies', () => {
  const growing = (bytesADay: number, days = 0) =>
    summaryOf(judgeGrowth({ databaseBytes: 20 * GB, bytesADay, days, retentionDays: 90 }));
  expect([growing(0.6 * GB), growing(GB), growing(GB, 85)]).toEqual([[], ['warning database-growing'], []]);
});

test('a database of another version, or an empty one, is an error', () => {
  expect([0, 3, 4, 5].map((version) => summaryOf(judgePostgresVersion(version, 4)))).toEqual([
    ...[['error database-missing'], ['error database-older'], [], ['error database-newer']],
  ]);
});
