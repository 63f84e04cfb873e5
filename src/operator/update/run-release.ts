import { spawnSync } from 'node:child_process';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import type { Environment } from '../../settings/config.ts';

const OUTPUT_BYTES_MAX = 1024 * 1024;
const VERSION_MS_MAX = 30 * SECOND_MS;

/** What a command of another executable of ours ended with. */
export interface Ran {
  readonly exitCode: number;
  /** As JSON; undefined for anything else. */
  readonly json: unknown;
  /** What it said last, for the operator. */
  readonly said: string;
}

/**
 * Runs a command of an executable of ours, with the settings of an environment and nothing else of it.
 *
 * @throws Fault when it does not run, or not come to its end in time
 */
export function runRelease(
  executable: string,
  words: readonly string[],
  environment: Environment,
  msMax: number,
): Ran {
  const { status, stdout, stderr, error, signal } = spawnSync(executable, words, {
    encoding: 'utf8',
    timeout: msMax,
    maxBuffer: OUTPUT_BYTES_MAX,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: settingsOf(environment),
  });
  const command = `its command "redoubt ${words.join(' ')}"`;
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ETIMEDOUT') throw new Fault(`${command} did not finish within ${msMax / SECOND_MS} seconds`);
  if (status === null) throw new Fault(`${command} did not run (${code ?? signal})`);
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return { exitCode: status, json: jsonIn(stdout), said: said.replace(/^redoubt: /, '') };
}

/** What an executable says of itself. */
const Told = Type.Object({
  version: Type.String(),
  built_at: Type.Union([Type.String(), Type.Null()]),
  schema_version: Type.Integer(),
});
export type Told = Static<typeof Told>;

/**
 * Asks an executable of ours what it is.
 *
 * @throws Fault when it does not run, or does not say
 */
export function askVersion(executable: string): Told {
  const told = as(Told, runRelease(executable, ['version', '--json'], {}, VERSION_MS_MAX).json);
  if (told === undefined)
    throw new Fault(`${executable} does not run on this host, or does not report its version`);
  return told;
}

/** A value where it is of a schema. */
export const as = <Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> | undefined =>
  Check(schema, value) ? value : undefined;

const TAKEN = /^(?:SERVICE_.*|CREDENTIALS_DIRECTORY|PATH|HOME)$/;

const settingsOf = (environment: Environment) =>
  Object.fromEntries(
    Object.entries({ PATH: process.env.PATH, HOME: process.env.HOME, ...environment }).filter(([name]) =>
      TAKEN.test(name),
    ),
  );

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
