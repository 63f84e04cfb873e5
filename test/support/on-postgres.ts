import { afterAll, beforeAll, describe } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { newDurableDatabase, postgresUrl } from './postgres.ts';
import { startOn } from './service.ts';

const TESTS = join(import.meta.dir, '..');
/** What a property is about is the same on each engine: these runs look at how PostgreSQL answers. */
const RUNS = 50;

/** Has the services of a file of tests, which looks at nothing but what they answer, run on PostgreSQL. */
export function servedOnPostgres(): void {
  beforeAll(() => startOn(async () => ({ SERVICE_DATABASE_URL: postgresUrl(await newDurableDatabase()) })));
  afterAll(() => startOn(async () => ({})));
}

/** Runs on PostgreSQL the tests of a folder that ask what their engine is. */
export function onPostgres(folder: string): void {
  const before = fc.readConfigureGlobal();
  beforeAll(() => fc.configureGlobal({ ...before, numRuns: RUNS }));
  afterAll(() => fc.configureGlobal(before));
  for (const name of new Bun.Glob('**/*.test.ts').scanSync(join(TESTS, folder))) {
    const file = join(TESTS, folder, name);
    if (!readFileSync(file, 'utf8').includes('engineOf(import.meta)')) continue;
    describe(`on PostgreSQL: ${relative(TESTS, file)}`, () => {
      // Within the description, so that what comes before and after each test stays with the file's own.
      require(`${file}?postgres`);
    });
  }
}
