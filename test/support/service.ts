import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildNewerVersion } from './newer-version.ts';
import { once } from './once.ts';
import { removeTemporaryDirectories, temporaryDirectory } from './temporary.ts';

const ROOT = join(import.meta.dir, '../..');
export const BUN = join(ROOT, 'node_modules/.bin/bun');
/** The runtime itself: the script in .bin would outlive a SIGKILL of its parent. */
export const DENO = join(
  ROOT,
  'node_modules',
  [...new Bun.Glob('@deno/*/deno').scanSync(join(ROOT, 'node_modules'))][0] ?? '',
);
const START_MS_MAX = 40_000;

/** What the service runs as: the compiled executable, or the same source under Deno. */
export type Target = 'binary' | 'deno';
export const TARGETS: readonly Target[] = ['binary', 'deno'];

/** What tests start: a target, or the executable of the next version. */
export type Build = Target | 'next';

export type Env = Readonly<Record<string, string>>;

/** The executable that `verify`, or whoever measures another build, names; else one that is built for this process. */
export const binary = once(async () => {
  if (process.env.REDOUBT_EXECUTABLE) return resolve(process.env.REDOUBT_EXECUTABLE);
  const cwd = temporaryDirectory();
  const outfile = join(cwd, 'redoubt');
  // There, because a build that is ended before its time leaves a file of 100 MB where it ran.
  await promisify(execFile)(BUN, [join(ROOT, 'build.ts'), '--outfile', outfile], { cwd });
  return outfile;
});

/** The executable of a version with one more migration, for which every database of this version is an older one. */
const nextVersion = once(() => buildNewerVersion('alter table licenses add column further text;'));

/** A copy of the executable where other users of the host can run it. */
export const binaryForOthers = once(async () => {
  const copy = join(temporaryDirectory(), 'redoubt');
  copyFileSync(await binary(), copy);
  chmodSync(dirname(copy), 0o755);
  return copy;
});

/** What starts a target: an executable, and the words before a command's own. */
export async function commandOf(target: Build): Promise<[string, string[]]> {
  if (target === 'binary') return [await binary(), []];
  if (target === 'next') return [await nextVersion(), []];
  return [DENO, ['run', '--quiet', '-A', join(ROOT, 'src/main.ts')]];
}

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The contract alone has more than a megabyte. */
const OUTPUT_BYTES_MAX = 8 * 1024 * 1024;

/** Runs one operator command to its end. */
export const run = (target: Build, env: Env, ...args: string[]): Promise<Outcome> =>
  runIn(temporaryDirectory(), target, env, ...args);

/** The same in a given working directory. */
export async function runIn(cwd: string, target: Build, env: Env, ...args: string[]): Promise<Outcome> {
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
  /** Of the admin API; nothing where it is switched off. */
  readonly adminUrl: string;
  readonly env: Env;
  readonly process: ChildProcess;
  /** What it has logged so far. */
  log(): string;
  /** Issues a license beside the running server. */
  issue(...options: string[]): Promise<{ license_id: string; key: string; plan: string }>;
  /** Runs an operator command beside the running server, expecting exit code 0. */
  command(...args: string[]): Promise<string>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

let settingsOfEngine = async (): Promise<Env> => ({});

/** Has services that are started from now on run on another engine. */
export function startOn(settings: () => Promise<Env>): void {
  settingsOfEngine = settings;
}

/**
 * Starts a service on a free port; ends with the test that calls `end`.
 *
 * @param openFilesMax how many files and connections it may have open
 * @param demo whether it is a demonstration
 * @param executable of another version
 */
export async function start(
  target: Build,
  settings: Env = {},
  {
    openFilesMax,
    demo = false,
    executable: given,
  }: { openFilesMax?: number; demo?: boolean; executable?: string } = {},
): Promise<RunningService> {
  const ports = { SERVICE_PORT: '0', SERVICE_ADMIN_PORT: '0' };
  const env: Env = {
    SERVICE_DATA_DIR: temporaryDirectory(),
    ...ports,
    ...(await settingsOfEngine()),
    ...settings,
  };
  const [executable, options]: [string, string[]] = given ? [given, []] : await commandOf(target);
  const [command, before]: [string, string[]] =
    openFilesMax === undefined
      ? [executable, options]
      : ['sh', ['-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax), executable, ...options]];
  const child = spawn(command, [...before, 'serve', ...(demo ? ['--demo'] : [])], {
    env: cleanEnv(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  running.add(child);
  ended.then(() => running.delete(child));

  const url = await until(
    () => /"message":"ready","url":"([^"]+)"/.exec(log)?.[1],
    START_MS_MAX,
    () => log,
  );
  const service: RunningService = {
    url,
    adminUrl: /"admin_url":"([^"]+)"/.exec(log)?.[1] ?? '',
    env,
    process: child,
    log: () => log,
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

/** Waits for a condition, never for a time; gives up after a while. */
export async function until<Value>(
  condition: () => Value | undefined | false | Promise<Value | undefined | false>,
  patienceMs = 10_000,
  what: () => string = () => 'the condition',
): Promise<Value> {
  const giveUpAt = Date.now() + patienceMs;
  while (true) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > giveUpAt) throw new Error(`gave up waiting for: ${what()}`);
    await Bun.sleep(10);
  }
}

const running = new Set<ChildProcess>();

/** Ends what a failed test has left running. */
export function killServices(): void {
  for (const child of running) child.kill('SIGKILL');
}

// Of benchmarks; for tests see leave-nothing.ts.
process.once('exit', () => {
  killServices();
  removeTemporaryDirectories();
});

const cleanEnv = (env: Env) => ({ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/root', ...env });
