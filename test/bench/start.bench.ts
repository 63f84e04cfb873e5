/**
 * What a start and a short command cost: `bun test/bench/start.bench.ts`, with `--against COMMIT` beside the executable of another
 * commit. From spawn to the first answered GET /api/v1/status, on a directory that exists; memory a second later; and
 * `redoubt version`. Medians of interleaved rounds.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { API } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { binary } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { againstCommit, buildCommit } from './other-commit.ts';
import { processorMsOf } from './processor-time.ts';
import { comparedHead, comparedRow, interleaved, median, shown } from './rounds.ts';

const ROUNDS = 9;
const REST_MS = 1_000;
const LOOK_MS = 1;
const START_MS_MAX = 20_000;

interface Subject {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

async function subjectOf(executable: string): Promise<Subject> {
  const env = {
    PATH: process.env.PATH ?? '',
    SERVICE_DATA_DIR: temporaryDirectory(),
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_ADMIN_PORT: '0',
  };
  // Early versions have no such command: there the first start creates all.
  spawnSync(executable, ['init'], { cwd: env.SERVICE_DATA_DIR, env, stdio: 'ignore' });
  return { executable, env };
}

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function measure({ executable, env }: Subject) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${API}/status`;
  const options = { cwd: env.SERVICE_DATA_DIR, env: { ...env, SERVICE_PORT: String(port) } };

  const beganAt = performance.now();
  const child = spawn(executable, ['serve'], { ...options, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  while (!(await isAnswered(url))) {
    if (performance.now() - beganAt > START_MS_MAX) throw new Error(`${executable} does not respond`);
    await Bun.sleep(LOOK_MS);
  }
  const answered = performance.now() - beganAt;
  const processor = processorMsOf(child.pid);
  await Bun.sleep(REST_MS);
  const rollup = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(rollup)?.[1]) / 1024;
  const memory = { resident: megabytes('Rss'), anonymous: megabytes('Anonymous') };
  child.kill();
  await ended;
  process.off('exit', stop);
  return { answered, processor, ...memory, ...(await command({ executable, env })) };
}

/** A command that needs nothing but the program itself. */
async function command({ executable, env }: Subject) {
  const child = Bun.spawn([executable, 'version'], { env, stdout: 'ignore' });
  await child.exited;
  return { command: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000 };
}

const UNITS = {
  answered: 'until GET /status is answered, ms',
  processor: 'processor time until then, ms',
  resident: 'resident memory at rest, MB',
  anonymous: 'of it anonymous, MB',
  command: '`redoubt version`, processor time, ms',
} as const;

const commit = againstCommit();
const own = await subjectOf(await binary());
const other = commit === undefined ? own : await subjectOf(await buildCommit(commit));
// Neither is measured from a cold disk.
for (const subject of [own, other]) await measure(subject);
if (commit === undefined) {
  const rounds: Awaited<ReturnType<typeof measure>>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await measure(own));
  for (const [unit, title] of Object.entries(UNITS) as [keyof typeof UNITS, string][])
    console.log(`${title}: ${shown(median(rounds.map((round) => round[unit])))}`);
} else {
  const rounds = await interleaved(ROUNDS, [own, other], measure);
  console.log(comparedHead(commit));
  for (const [unit, title] of Object.entries(UNITS) as [keyof typeof UNITS, string][])
    console.log(
      comparedRow(
        title,
        rounds.map(([ours, theirs]) => [ours[unit], theirs[unit]]),
      ),
    );
}
process.exit(0);
