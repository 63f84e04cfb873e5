import { afterAll, beforeAll, describe } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { POSTGRES_RUNS } from './engines.ts';
import { newPostgresDatabase, postgresUrl } from './postgres.ts';
import { startOn, withoutSeams } from './service.ts';
import { dividedIntoParts } from './timings.ts';

const TESTS = join(import.meta.dir, '..');

/** Has services that a file of tests starts run on PostgreSQL. No balancer asks them, so that they need not wait for one. */
function servedOnPostgres(): void {
  beforeAll(() =>
    startOn({
      name: 'PostgreSQL',
      settings: async () => ({
        SERVICE_DATABASE_URL: postgresUrl(await newPostgresDatabase()),
        SERVICE_LEAVE_SECONDS: '0',
      }),
    }),
  );
  afterAll(() => startOn());
}

/** Runs on PostgreSQL the tests of a folder that ask what their engine is. */
export function onPostgres(folder: string): void {
  const files = testsIn(folder).filter((file) =>
    readFileSync(join(TESTS, file), 'utf8').includes('engineOf(import.meta)'),
  );
  runAgain(files);
}

/** What of the contract starts PostgreSQL by itself, or asks no database: who connects, how pages look, what a client does. */
export const OF_ONE_ENGINE = [
  'admin/listener',
  'analysis-batch',
  'analysis-busy',
  'analysis-process',
  'balancer',
  'client',
  'clients',
  'connections',
  'console/browser',
  'console/browser-sign-in',
  'console/hostile-texts',
  'console/kit',
  'console/oidc-real',
  'content-encoding',
  'docs',
  'edge-values',
  'failover',
  'fairness',
  'handbook',
  'headers',
  'hostile-connections',
  'integration-files',
  'jobs',
  'nodes',
  'nodes-faults',
  'nodes-valkey',
  'odd-hosts',
  'odd-requests',
  'openapi-tools',
  'pages-of-demo',
  'pgbouncer',
  'portal/browser',
  'portal/hostile-texts',
  'portal/scan-analysis-browser',
  'postgres',
  'postgres-15',
  'postgres-restore',
  'postgres-tls',
  'postgres-trouble',
  'reload',
  'rolling-upgrade',
  'site-check',
  'site-check-failures',
  'site-check-long',
  'slow-bodies',
  'unix-socket',
];
/** Whose guarantees live in transactions; the others show that PostgreSQL answers as SQLite does. */
export const OF_TRANSACTIONS = [
  'admin/concurrency',
  'admin/idempotency',
  'daily-budget',
  'evidence',
  'license-rotate',
  'money',
  'store-failure',
  'story',
  'telemetry',
];
const pathsOf = (names: readonly string[]) => names.map((name) => join('contract', `${name}.test.ts`));

/** Runs a part, 1 to 8, of the contract without transactions, with services on PostgreSQL. */
export function contractOnPostgres(share: number): void {
  servedOnPostgres();
  const elsewhere = pathsOf([...OF_ONE_ENGINE, ...OF_TRANSACTIONS]);
  const files = testsIn('contract').filter((file) => !elsewhere.includes(file));
  const shares = dividedIntoParts(files.map((file) => join('test', file)));
  runAgain(shares[share - 1]?.map((file) => relative('test', file)) ?? []);
}

/** Runs what every run of `verify` tries on PostgreSQL. */
export function transactionsOnPostgres(): void {
  servedOnPostgres();
  runAgain(pathsOf(OF_TRANSACTIONS));
}

const testsIn = (folder: string): string[] =>
  [...new Bun.Glob('**/*.test.ts').scanSync(join(TESTS, folder))].sort().map((file) => join(folder, file));

function runAgain(files: readonly string[]): void {
  const before = fc.readConfigureGlobal();
  beforeAll(() => fc.configureGlobal({ ...before, numRuns: POSTGRES_RUNS }));
  afterAll(() => fc.configureGlobal(before));
  for (const file of files)
    describe(`on PostgreSQL: ${file}`, async () => {
      // Within the description, so that what comes before and after each test stays with the file's own.
      await withoutSeams(`${join(TESTS, file)}?postgres`);
    });
}
