import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, closeSync, copyFileSync, existsSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type CommandOutcome, runInProcess } from './commands.ts';
import { buildNewerVersion } from './newer-version.ts';
import { once } from './once.ts';
import { isWholeMatrix, suite } from './suite.ts';
import { lastingDirectory, removeTemporaryDirectories, temporaryDirectory } from './temporary.ts';

const ROOT = join(import.meta.dir, '../..');
export const BUN = join(ROOT, 'node_modules/.bin/bun');
/** The runtime itself: the script in .bin would survive a SIGKILL of its parent. */
export const DENO = join(
  ROOT,
  'node_modules',
  [...new Bun.Glob('@deno/*/deno').scanSync(join(ROOT, 'node_modules'))][0] ?? '',
);
const MAIN = join(ROOT, 'src/main.ts');
const START_MS_MAX = 40_000;

/** The form of the service: the compiled executable, or the source on Deno. */
export type Target = 'binary' | 'deno';
/** For tests of differences between the runtimes: bodies, headers, addresses, streams, signals, processes. */
export let SEAM_TARGETS: readonly Target[] = suite === 'quick' ? ['binary'] : ['binary', 'deno'];
/** For all others, which run on Deno in the whole matrix only. */
export const TARGETS: readonly Target[] = suite === 'all' ? ['binary', 'deno'] : ['binary'];

/** Imports a file with tests of the executable only: a seam of the runtimes is the same on each database. */
export async function withoutSeams(path: string): Promise<void> {
  const seams = SEAM_TARGETS;
  SEAM_TARGETS = TARGETS;
  await import(path);
  SEAM_TARGETS = seams;
}

/** What tests start: a target, or the executable of the next version. */
export type Build = Target | 'next';

export type Env = Readonly<Record<string, string>>;

/** The executable named by `verify` or a benchmark of another build; otherwise one built for this process. */
export const binary = once(async () => {
  if (process.env.REDOUBT_EXECUTABLE) return resolve(process.env.REDOUBT_EXECUTABLE);
  const cwd = lastingDirectory();
  const outfile = join(cwd, 'redoubt');
  // There, because an interrupted build leaves a file of 100 MB in its working directory.
  await promisify(execFile)(BUN, [join(ROOT, 'build.ts'), '--outfile', outfile], { cwd });
  return outfile;
});

/**
 * The executable of a version with one more migration, which treats every database of this version as older.
 * `verify` builds it once for all workers.
 */
export const nextVersion = once(
  async () =>
    process.env.REDOUBT_NEXT_EXECUTABLE ??
    (await buildNewerVersion('alter table licenses add column further text;')),
);

/** A copy of the executable where other users of the host can run it. */
export const binaryForOthers = once(async () => {
  const copy = join(lastingDirectory(), 'redoubt');
  copyFileSync(await binary(), copy);
  chmodSync(dirname(copy), 0o755);
  return copy;
});

/** The command of a target: an executable, and the words before a command's own. */
export async function commandOf(target: Build): Promise<[string, string[]]> {
  if (target === 'binary') return [await binary(), []];
  if (target === 'next') return [await nextVersion(), []];
  return [DENO, ['run', '--quiet', '-A', MAIN]];
}

/** Options that final acts need without a terminal. */
export const SURE = ['--yes', '--reason', 'test'] as const;

export type Outcome = CommandOutcome;

/** The contract alone has more than a megabyte. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Runs one operator command to its end. Outside the whole matrix, a process that runs one command after
 * another replaces the executable, where that makes no difference.
 */
export const run = (target: Build, env: Env, ...args: string[]): Promise<Outcome> =>
  runIn(temporaryDirectory(), target, env, ...args);

/** Runs one operator command in a working directory. */
export const runIn = async (cwd: string, target: Build, env: Env, ...args: string[]): Promise<Outcome> =>
  withoutProgress(
    target === 'binary' && !isWholeMatrix && !needsProcess(env, args)
      ? await runInProcess({ args, env: cleanEnv(env), cwd })
      : await runProcess(cwd, target, env, ...args),
  );

/** The progress of a command, which it prints after two seconds: on a busy machine, any command may take so long. */
const PROGRESS =
  /^redoubt: (?:[\w ]+ \d+ of \d+ rows|[\w ]+, [\d.]+ MB of [\d.]+ MB|\S+: \w+, [\d.]+ MiB.*|merging the sources, .*)\n/gm;

const withoutProgress = (outcome: Outcome): Outcome => ({
  ...outcome,
  stderr: outcome.stderr.replace(PROGRESS, ''),
});

const OF_A_PROCESS: ReadonlySet<string> = new Set(['serve', 'version', '--version']);

/** Commands that report or read how their process was started, change its user, or continue. */
const needsProcess = (env: Env, [command]: readonly string[]): boolean =>
  OF_A_PROCESS.has(command ?? '') ||
  Object.keys(env).some((name) => /^(?:BUN|NODE|SUDO)_/.test(name)) ||
  isOfAnotherUser(env.SERVICE_DATA_DIR ?? '');

const isOfAnotherUser = (path: string): boolean =>
  existsSync(path) && statSync(path).uid !== process.getuid?.();

/** Runs one operator command in its own process, for tests of locks and of concurrent commands. */
export const runAlone = async (target: Build, env: Env, ...args: string[]): Promise<Outcome> =>
  withoutProgress(await runProcess(temporaryDirectory(), target, env, ...args));

async function runProcess(cwd: string, target: Build, env: Env, ...args: string[]): Promise<Outcome> {
  const [command, before] = await commandOf(target);
  return new Promise((resolve) => {
    execFile(
      command,
      [...before, ...args],
      { cwd, env: cleanEnv(env), maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout, stderr) => {
        resolve({ exitCode: error ? Number(error.code ?? -1) : 0, stdout, stderr });
      },
    );
  });
}

export interface RunningService {
  readonly url: string;
  /** The address of the admin API; undefined where it is switched off. */
  readonly adminUrl: string;
  readonly env: Env;
  readonly process: ChildProcess;
  /** Its log so far: warnings and errors are in it before the response, other lines 50 ms later. */
  log(): string;
  /** Issues a license next to the running server. */
  issue(...options: string[]): Promise<{ license_id: string; key: string; plan: string }>;
  /** Runs an operator command next to the running server, expecting exit code 0. */
  command(...args: string[]): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

interface ServedBy {
  readonly name: string;
  readonly settings: () => Promise<Env>;
}

const SQLITE: ServedBy = { name: 'SQLite', settings: async () => ({}) };
let engine = SQLITE;

/** Makes services that are started from now on run on another engine. */
export function startOn(other: ServedBy = SQLITE): void {
  engine = other;
}

/** Limits that no test reaches. */
export const UNLIMITED: Env = {
  SERVICE_RATE_KEY_PER_MINUTE: '1000000',
  SERVICE_RATE_IP_PER_MINUTE: '1000000',
  SERVICE_ADMIN_RATE_PER_MINUTE: '1000000',
  SERVICE_DAILY_CAP: '1000000',
  SERVICE_TRIALS_PER_DAY: '1000000',
};

/** The sets of settings of services that files share. A set used by only one file saves no start. */
export const SHARED_SETTINGS = {
  defaults: {},
  /** Scans reach this host. */
  'private sites': { SERVICE_SCAN_ALLOW_PRIVATE: '1' },
  /** Credentials and trust states are issued. */
  issuer: { SERVICE_BASE_URL: 'https://redoubt.example' },
} satisfies Readonly<Record<string, Env>>;

const shared = new Map<string, Promise<RunningService>>();

/**
 * The service without limits that all files of this process share, one for each target, engine and set of
 * settings. A test uses a new license, and must not change the settings, the tables and the process.
 */
export function sharedService(
  target: Target = 'binary',
  set: keyof typeof SHARED_SETTINGS = 'defaults',
): Promise<RunningService> {
  const name = `${target} ${engine.name} ${set}`;
  const service =
    shared.get(name) ??
    start(
      target,
      { ...UNLIMITED, ...SHARED_SETTINGS[set], SERVICE_DATA_DIR: lastingDirectory() },
      { lasts: true },
    );
  shared.set(name, service);
  return service;
}

/**
 * Starts a service on a free port; ends with the test that calls `end`.
 *
 * @param openFilesMax limit of open files and connections
 * @param demo whether it is a demonstration
 * @param executable of another version
 * @param lasts whether it survives a test file, and ends with this process
 */
export async function start(
  target: Build,
  settings: Env = {},
  {
    openFilesMax,
    demo = false,
    executable: given,
    lasts = false,
  }: { openFilesMax?: number; demo?: boolean; executable?: string; lasts?: boolean } = {},
): Promise<RunningService> {
  const ports = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' };
  const env: Env = {
    SERVICE_DATA_DIR: temporaryDirectory(),
    ...ports,
    // A restarted service has its database.
    ...(settings.SERVICE_DATABASE_URL === undefined ? await engine.settings() : {}),
    ...settings,
  };
  const [executable, options]: [string, string[]] = given ? [given, []] : await commandOf(target);
  const [command, before]: [string, string[]] =
    openFilesMax === undefined
      ? [executable, options]
      : ['sh', ['-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax), executable, ...options]];
  const words = [command, ...before, 'serve', ...(demo ? ['--demo'] : [])];
  const [file = '', ...args] = lasts ? ['setpriv', '--pdeathsig', 'KILL', ...words] : words;
  // A file, because a pipe delivers lines some time after the service wrote them.
  const path = join(lasts ? lastingDirectory() : temporaryDirectory(), 'log');
  const descriptor = openSync(path, 'ax');
  const child = spawn(file, args, {
    env: cleanEnv(env),
    stdio: ['ignore', 'ignore', descriptor],
  });
  closeSync(descriptor);
  const log = () => readFileSync(path, 'utf8');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (lasts) {
    child.unref();
  } else {
    running.add(child);
    ended.then(() => running.delete(child));
  }

  const url = await until(() => /"message":"ready","url":"([^"]+)"/.exec(log())?.[1], START_MS_MAX, log);
  const service: RunningService = {
    url,
    adminUrl: /"admin_url":"([^"]+)"/.exec(log())?.[1] ?? '',
    env,
    process: child,
    log,
    issue: async (...options) => JSON.parse(await service.command('license', 'issue', '--json', ...options)),
    async command(...args) {
      const { exitCode, stdout, stderr } = await run('binary', env, ...args);
      if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
      return stdout;
    },
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
  return service;
}

const POLL_MS = { min: 10, max: 100 };

/** Waits for a condition, never for a time; fails after a while. The longer it waits, the less often it asks. */
export async function until<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  patienceMs = 10_000,
  what: () => string = () => 'the condition',
): Promise<Value> {
  const begin = Date.now();
  while (true) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    const waitedMs = Date.now() - begin;
    if (waitedMs > patienceMs) throw new Error(`gave up waiting for: ${what()}`);
    await Bun.sleep(Math.min(Math.max(waitedMs / 10, POLL_MS.min), POLL_MS.max));
  }
}

const running = new Set<ChildProcess>();

/** Ends services that a failed test has left running. */
export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

// For benchmarks; for tests see leave-nothing.ts.
process.once('exit', () => {
  killServices();
  removeTemporaryDirectories();
});

/**
 * A service of a test answers few requests, and ends before code that the runtime compiles saves any time. The
 * whole matrix uses the runtime's own thresholds.
 */
const COMPILED_LATE: Env =
  suite === 'verify'
    ? {
        BUN_JSC_thresholdForJITSoon: '1000',
        BUN_JSC_thresholdForJITAfterWarmUp: '2000',
        BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
        BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '10000',
      }
    : {};

const cleanEnv = (env: Env) => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '/root',
  ...COMPILED_LATE,
  ...env,
});
