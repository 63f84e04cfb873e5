import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

// Load from another process: wrk, on one thread.

export interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with POST. */
  readonly body?: string;
  /** A text in the body that every request replaces by a different one. */
  readonly each?: string;
}

export interface Measured {
  /** Requests answered with a success. */
  readonly requests: number;
  readonly seconds: number;
  readonly p99Ms: number;
}

export const CONNECTIONS = 32;
const SECONDS = 2;
const SCRIPT = join(import.meta.dir, 'load.lua');

let loads = 0;

/** @throws Error when anything but a success was answered */
export async function load(
  { url, headers, body, each }: Request,
  seconds = SECONDS,
  connections = CONNECTIONS,
): Promise<Measured> {
  loads += 1;
  const env = {
    PATH: process.env.PATH,
    LOAD_HEADERS: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    ...(body === undefined ? {} : { LOAD_BODY: body }),
    ...(each === undefined ? {} : { LOAD_EACH: each, LOAD_PREFIX: `load${loads}` }),
  };
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', SCRIPT, url];
  const { stdout } = await promisify(execFile)('wrk', args, { env });
  const { refused, broken, ...measured } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Measured & {
    refused: number;
    broken: number;
  };
  if (refused + broken > 0) throw new Error(`${url}: ${refused} refused, ${broken} connections broken`);
  return measured;
}

/** Explains how to get wrk when it is missing. */
export function expectWrk(): void {
  if (Bun.which('wrk')) return;
  console.error('wrk, which makes the load, is not installed: apt-get install -y wrk');
  process.exit(2);
}
