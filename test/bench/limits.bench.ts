/**
 * The cost of counting over all nodes: `bun test/bench/limits.bench.ts`. Callers draw tokens one after
 * another, each for a different license, as requests do: from PostgreSQL and from Valkey (or Redis), over a
 * Unix socket each, in interleaved rounds.
 */
import { createSharedDraws, type SharedDraws } from '../../src/lib/shared-draws.ts';
import { connectLimitsServer } from '../../src/outside/limits-server.ts';
import { serverAddress } from '../../src/settings/limits-address.ts';
import { migratePostgres } from '../../src/storage/engine/postgres/migrate.ts';
import { postgresRateLimits } from '../../src/storage/engine/postgres/rate-limits.ts';
import { openPostgres, startPostgres } from '../support/postgres.ts';
import { startValkey } from '../support/valkey.ts';

const CALLERS = [1, 32, 256];
const [ROUNDS, ROUND_MS] = [5, 1_000];

const [postgres, valkey] = await Promise.all([startPostgres(), startValkey()]);
const db = openPostgres({ ...postgres.address, database: 'postgres' });
await migratePostgres(db);
const server = await connectLimitsServer(serverAddress(`unix://${valkey.socket}`), 'redoubt:bench');
const drawsBy = (ask: Parameters<typeof createSharedDraws>[0]['ask']): SharedDraws =>
  createSharedDraws({ ask, monotonic: () => performance.now(), onAway() {}, onBack() {} });
const subjects = { PostgreSQL: drawsBy(postgresRateLimits(db)), Valkey: drawsBy(server.ask) };

/** @returns the number counted in a second */
async function perSecond(draws: SharedDraws, callers: number): Promise<number> {
  const begun = performance.now();
  let counted = 0;
  const call = async (_: unknown, licenseId: number): Promise<void> => {
    while (performance.now() - begun < ROUND_MS)
      if (await draws.draw({ bucket: 'key', capacity: 1_000_000_000, licenseId, units: 1 })) counted += 1;
  };
  await Promise.all(Array.from({ length: callers }, call));
  return counted / ((performance.now() - begun) / 1_000);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

console.log(`| Callers | ${Object.keys(subjects).join(' | ')} |\n|---:|---:|---:|`);
for (const callers of CALLERS) {
  const rounds = Object.values(subjects).map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, draws] of Object.values(subjects).entries())
      rounds[index]?.push(await perSecond(draws, callers));
  const shown = rounds.map((values) => Math.round(median(values)).toLocaleString('en'));
  console.log(`| ${callers} | ${shown.join(' | ')} |`);
}
server.close();
await Promise.all([postgres.stop('SIGQUIT'), valkey.stop()]);
process.exit(0);
