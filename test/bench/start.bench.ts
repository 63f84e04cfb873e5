import { readFileSync } from 'node:fs';
import { run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// How long the executable takes to be ready on a directory that is there, and what it takes of memory once it rests.

const ROUNDS = 9;
const REST_MS = 1_000;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;

const env = { SERVICE_DATA_DIR: temporaryDirectory(), SERVICE_THREAT_FEED_ENABLED: '1' };
await run('binary', env, 'init');

const rounds = [];
for (let round = 0; round < ROUNDS; round++) {
  const beganAt = performance.now();
  const service = await start('binary', env);
  const ready = performance.now() - beganAt;
  await Bun.sleep(REST_MS);
  const rollup = readFileSync(`/proc/${service.process.pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  rounds.push({ ready, resident: megabytes('Rss'), anonymous: megabytes('Anonymous') });
  await service.end();
}
console.table({
  'ready, ms': Math.round(median(rounds.map(({ ready }) => ready))),
  'resident, MB': Math.round(median(rounds.map(({ resident }) => resident))),
  'of it anonymous, MB': Math.round(median(rounds.map(({ anonymous }) => anonymous))),
});
