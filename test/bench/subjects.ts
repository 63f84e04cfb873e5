import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withStore } from '../../src/cli/store.ts';
import { fingerprintOf } from '../../src/domain/threat/fingerprint.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { databasePath } from '../../src/storage/engine/data-directory.ts';
import type { Job } from '../../src/storage/engine/jobs.ts';
import { API } from '../support/client.ts';
import { binary, run, until } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { DOMAIN, FEED_ENTRIES } from './bodies.ts';

// What is measured: the executable with a full feed, and the ceilings beside it.

export interface Service {
  readonly api: string;
  readonly key: string;
  readonly feedEtag: string;
  readonly databasePath: string;
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
  /** The same with all that is asked of every answer, done by hand in one function. */
  readonly verifyByHand: string;
  readonly notModifiedByHand: string;
  readonly identity: string;
  readonly gzip: string;
  /** Rows per second of a bare insert loop. */
  insertedPerSecond(): Promise<number>;
}

const CORROBORATION = 3;
const INSERT_SECONDS = 2;

/** Starts the executable with a full feed, which it computes at its start; otherwise as its unit does, logs into a file and all, with limits that do not bind. */
export async function startService(): Promise<Service> {
  const directory = temporaryDirectory();
  const env = {
    PATH: process.env.PATH ?? '',
    SERVICE_DATA_DIR: directory,
    SERVICE_PORT: '0',
    SERVICE_THREAT_FEED_ENABLED: '1',
    SERVICE_FEED_MIN_AGE_HOURS: '0',
    SERVICE_RATE_KEY_PER_MINUTE: '1000000000',
    SERVICE_DAILY_EVENTS: '0',
    SERVICE_DAILY_BYTES: '0',
    SERVICE_RATE_IP_PER_MINUTE: '1000000000',
  };
  const issue = async (): Promise<{ key: string }> => {
    const options = ['--json', '--plan', 'pro', '--domain', DOMAIN];
    return JSON.parse((await run('binary', env, 'license', 'issue', ...options)).stdout);
  };

  await run('binary', env, 'init');
  const { key } = await issue();
  for (let issued = 1; issued < CORROBORATION; issued++) await issue();
  await withStore(loadConfig(env), ({ change }) => {
    change(...corroboratedReports());
  });

  const api = (await serve(env)) + API;
  const feed = await fetch(`${api}/threat-feed`, { headers: { authorization: `Bearer ${key}` } });
  const feedEtag = feed.headers.get('etag') ?? '';
  return { api, key, feedEtag, databasePath: databasePath(directory) };
}

/**
 * Starts the executable, with its log in a file.
 *
 * @returns its address
 */
export async function serve(env: Readonly<Record<string, string>>): Promise<string> {
  const log = join(temporaryDirectory(), 'log');
  const stderr = openSync(log, 'w');
  stopAtExit(spawn(await binary(), ['serve'], { env, stdio: ['ignore', 'ignore', stderr] }));
  const ready = /"message":"ready","url":"([^"]+)"/;
  return until(() => ready.exec(readFileSync(log, 'utf8'))?.[1]);
}

/** Starts bare servers that give the service's answers without making them. */
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

function corroboratedReports(): Job[] {
  const jobs: Job[] = [];
  for (let entry = 0; entry < FEED_ENTRIES; entry++) {
    const attackType = 'sql_injection';
    const fingerprint = fingerprintOf({ attackType, behaviorClass: 'bench', payloadHash: String(entry) });
    for (let licenseId = 1; licenseId <= CORROBORATION; licenseId++) {
      jobs.push({
        name: 'recordThreatReport',
        input: { fingerprint, attackType, licenseId, now: Date.now() },
      });
    }
  }
  return jobs;
}

/** One of the programs beside this file, compiled as build.ts compiles the service. */
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
