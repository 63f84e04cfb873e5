/**
 * The cost of a start and a short command: `bun test/bench/start.bench.ts`, with `--against COMMIT` next to
 * the executable of another commit, or `--image` next to the same executable on the libraries of the
 * container image, as root. From spawn to the first answered GET /api/v1/status, on an existing directory;
 * memory a second later; and `redoubt version`. Medians of interleaved rounds.
 */
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pinsFor } from '../../tools/release/image/debian-lock.ts';
import { fetchDebian } from '../../tools/release/image/fetch-debian.ts';
import { baseFiles, IMAGE_EXECUTABLE, IMAGE_VOLUME } from '../../tools/release/image/root.ts';
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
  /** The command that runs the executable. */
  readonly program: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const ENV = { PATH: process.env.PATH ?? '', SERVICE_THREAT_FEED_ENABLED: '1', SERVICE_ADMIN_PORT: '0' };

async function subjectOf(executable: string): Promise<Subject> {
  const cwd = temporaryDirectory();
  return initialized({ program: [executable], cwd, env: { ...ENV, SERVICE_DATA_DIR: cwd } });
}

/** The executable in the root of an image, which this process must be allowed to enter. */
async function subjectInImage(executable: string): Promise<Subject> {
  const cwd = temporaryDirectory();
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';
  const files = baseFiles(architecture, pinsFor(architecture), fetchDebian(temporaryDirectory(), undefined));
  for (const { path, bytes, isProgram } of files) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), bytes, { mode: isProgram ? 0o755 : 0o644 });
  }
  for (const folder of ['usr/bin', 'data', 'proc', 'dev']) mkdirSync(join(cwd, folder), { recursive: true });
  copyFileSync(executable, join(cwd, IMAGE_EXECUTABLE));
  // In a mount namespace that ends with the process.
  const script = 'mount -t proc proc proc; mount --rbind /dev dev; exec chroot . "$@"';
  const program = ['unshare', '--mount', 'sh', '-c', script, 'sh', IMAGE_EXECUTABLE] as const;
  return initialized({ program: [...program], cwd, env: { ...ENV, SERVICE_DATA_DIR: IMAGE_VOLUME } });
}

/** Early versions lack this command: there the first start creates everything. */
function initialized(subject: Subject): Subject {
  const { program, cwd, env } = subject;
  spawnSync(program[0], [...program.slice(1), 'init'], { cwd, env, stdio: 'ignore' });
  return subject;
}

const isAnswered = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function measure({ program, cwd, env }: Subject) {
  const [executable, ...words] = program;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}${API}/status`;
  const options = { cwd, env: { ...env, SERVICE_PORT: String(port) } };

  const beganAt = performance.now();
  const child = spawn(executable, [...words, 'serve'], { ...options, stdio: 'ignore' });
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
  return { answered, processor, ...memory, ...(await command({ program, cwd, env })) };
}

/** A command that needs only the program itself. */
async function command({ program, cwd, env }: Subject) {
  const child = Bun.spawn([...program, 'version'], { cwd, env, stdout: 'ignore' });
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

const isOfImage = process.argv.includes('--image');
const commit = isOfImage ? 'image' : againstCommit();
const own = await subjectOf(await binary());
const otherOf = async (name: string) =>
  isOfImage ? subjectInImage(await binary()) : subjectOf(await buildCommit(name));
const other = commit === undefined ? own : await otherOf(commit);
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
