import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import { API } from '../support/client.ts';
import { binary, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { DOMAIN, FEED_ENTRIES } from './bodies.ts';
import { processorMsOf } from './processor-time.ts';

// The measured programs: the executable with a full feed, and the ceilings next to it.

export interface Service {
  readonly api: string;
  readonly key: string;
  readonly feedEtag: string;
  readonly databasePath: string;
  /** Its processor time with all its threads, in milliseconds. */
  processorMs(): number;
}

/** Bodies of the service's answers. */
export interface Answers {
  /** All headers of two of them. */
  readonly headers: { readonly verified: object; readonly notModified: object };
  readonly verified: Uint8Array;
  readonly identity: Uint8Array;
  readonly gzip: Uint8Array;
}

export interface Ceilings {
  readonly verify: string;
  readonly notModified: string;
  /** The same with the work of every answer, done by hand in one function. */
  readonly verifyByHand: string;
  readonly notModifiedByHand: string;
  readonly identity: string;
  readonly gzip: string;
  /** Rows per second of a bare insert loop. */
  insertedPerSecond(): Promise<number>;
}

const CORROBORATION = 3;
const REPORTERS = 64;
const INSERT_SECONDS = 2;

/**
 * Starts an executable, by default this tree's, with a full feed, which it computes at its start; otherwise
 * as its unit does, with a log file, and with limits that do not apply. All its data is sent over HTTP, so
 * that any version can be measured.
 */
export async function startService(given?: string): Promise<Service> {
  const executable = given ?? (await binary());
  const directory = temporaryDirectory();
  const env = {
    PATH: process.env.PATH ?? '',
    SERVICE_DATA_DIR: directory,
    SERVICE_PORT: '0',
    SERVICE_ADMIN_PORT: '0',
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
    SERVICE_DAILY_CAP: '1000000000',
    SERVICE_DAILY_EVENTS: '0',
    SERVICE_DAILY_BYTES: '0',
    SERVICE_RATE_IP_PER_MINUTE: '1000000000',
  };
  const issue = async (): Promise<{ key: string }> => {
    const options = ['--json', '--plan', 'pro', '--domain', DOMAIN];
    return JSON.parse(await command('license', 'issue', ...options));
  };
  const command = async (...words: string[]) =>
    (await promisify(execFile)(executable, words, { cwd: directory, env })).stdout;

  // Early versions lack this command: there the first license creates everything.
  await command('init').catch(() => {});
  const { key } = await issue();
  const keys = [key];
  while (keys.length < CORROBORATION) keys.push((await issue()).key);
  const reporting = await serving(env, executable);
  await reportThreats(reporting.url + API, keys);
  await reporting.end();

  const { url, processorMs } = await serving(env, executable);
  const api = url + API;
  // Until then it serves the feed of the previous start, without threats.
  const feedEtag = await until(async () => {
    const feed = await fetch(`${api}/threat-feed`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await feed.json()) as { data?: { entries: readonly unknown[] } };
    return data?.entries.length === FEED_ENTRIES && (feed.headers.get('etag') ?? '');
  });
  return { api, key, feedEtag, databasePath: databasePath(directory), processorMs };
}

/**
 * Starts an executable, by default this tree's, with a log file.
 *
 * @returns its address
 */
export const serve = async (env: Readonly<Record<string, string>>, executable?: string): Promise<string> =>
  (await serving(env, executable)).url;

async function serving(
  env: Readonly<Record<string, string>>,
  executable?: string,
): Promise<{ url: string; end: () => Promise<void>; processorMs: () => number }> {
  const log = join(temporaryDirectory(), 'log');
  const stderr = openSync(log, 'w');
  const child = spawn(executable ?? (await binary()), ['serve'], {
    env,
    stdio: ['ignore', 'ignore', stderr],
  });
  stopAtExit(child);
  const ready = /"message":"ready","url":"([^"]+)"/;
  const url = await until(() => ready.exec(readFileSync(log, 'utf8'))?.[1]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url,
    processorMs: () => processorMsOf(child.pid),
    end() {
      child.kill();
      return ended;
    },
  };
}

/** Starts bare servers with the service's answers as constants. */
export async function startCeilings({ verified, identity, gzip, headers }: Answers): Promise<Ceilings> {
  const directory = temporaryDirectory();
  const files = Object.entries({ verified, identity, gzip, headers: JSON.stringify(headers) }).map(
    ([name, bytes]) => {
      writeFileSync(join(directory, name), bytes);
      return join(directory, name);
    },
  );
  const [servers, insertLoop] = [
    await compiled('ceiling', directory),
    await compiled('insert-loop', directory),
  ];
  const child = spawn(servers, files, { stdio: ['ignore', 'pipe', openSync(join(directory, 'log'), 'w')] });
  stopAtExit(child);
  const urls = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (data) => resolve(String(data))),
  );
  return {
    ...(JSON.parse(urls) as Omit<Ceilings, 'insertedPerSecond'>),
    async insertedPerSecond() {
      const database = join(directory, 'ceiling.sqlite');
      const { stdout } = await promisify(execFile)(insertLoop, [database, String(INSERT_SECONDS)]);
      const { rows, seconds } = JSON.parse(stdout) as { rows: number; seconds: number };
      return rows / seconds;
    },
  };
}

/** Makes each license report as many threats as the feed accepts. */
async function reportThreats(api: string, keys: readonly string[]): Promise<void> {
  let entry = 0;
  const report = async () => {
    while (entry < FEED_ENTRIES) {
      const payloadHash = (entry++).toString(16).padStart(64, '0');
      const body = JSON.stringify({
        attackType: 'sql_injection',
        behaviorClass: 'bench',
        payloadHash,
        siteIdHash: 'c2l0ZS1oYXNo',
        licenseIdHash: 'bGljZW5zZS1oYXNo',
      });
      for (const key of keys) {
        const headers = { authorization: `Bearer ${key}` };
        const { status } = await fetch(`${api}/threat-report/report`, { method: 'POST', headers, body });
        if (status !== 200) throw new Error(`a threat report was answered with ${status}`);
      }
    }
  };
  await Promise.all(Array.from({ length: REPORTERS }, report));
}

/** A program in this folder, compiled as build.ts compiles the service. */
async function compiled(name: string, directory: string): Promise<string> {
  const outfile = join(directory, name);
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, `${name}.ts`)],
    minify: true,
    bytecode: true,
    format: 'esm',
    target: 'bun',
    compile: { outfile },
  });
  if (!built.success) throw new Error(`${name} could not be compiled`);
  return outfile;
}

function stopAtExit(child: ChildProcess): void {
  process.once('exit', () => child.kill('SIGKILL'));
}
