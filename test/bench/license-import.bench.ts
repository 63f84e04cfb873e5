/**
 * The cost of importing and issuing many licenses: `bun test/bench/license-import.bench.ts`. Five rounds of
 * 10,000 each, by the command; imported with keys, domains, customers and external ids.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../support/service.ts';
import { removeTemporaryDirectories, temporaryDirectory } from '../support/temporary.ts';

const [LICENSES, ROUNDS] = [10_000, 5];
const directory = temporaryDirectory();
const env = { SERVICE_DATA_DIR: temporaryDirectory() };

/** @returns seconds */
async function timed(...words: string[]): Promise<number> {
  const began = performance.now();
  const { exitCode, stderr } = await run('binary', env, 'license', ...words);
  if (exitCode !== 0) throw new Error(stderr);
  return (performance.now() - began) / 1_000;
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1]?.toFixed(2);

await run('binary', env, 'init');
const [imported, issued]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  const rowOf = (at: number) => `other-system-${round}-${at},pro,s${at}.r${round}.com,e${round}-${at},C`;
  const file = join(directory, `${round}.csv`);
  const rows = Array.from({ length: LICENSES }, (_, at) => rowOf(at));
  writeFileSync(file, ['key,plan,domains,external_id,customer', ...rows].join('\n'));
  imported.push(await timed('import', file));
  const out = join(directory, `${round}.keys`);
  issued.push(await timed('issue', '--plan', 'pro', '--count', String(LICENSES), '--out', out));
}
console.table({ imported: median(imported), issued: median(issued) });
removeTemporaryDirectories();
