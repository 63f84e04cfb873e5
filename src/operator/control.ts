import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Credentials } from '../lib/read-file.ts';
import type { ShownSettings } from '../settings/setting-changes.ts';

// A private socket in the data directory: a command requests what only the running server can do, and waits for the outcome.
// One line of JSON each way.

export type ReloadOutcome =
  /** Settings that were not taken over, because they need a restart. */
  | { readonly reloaded: true; readonly needRestart: readonly string[] }
  | { readonly reloaded: false; readonly reason: string };

/** An outcome in words for the operator. */
export function outcomeWords(outcome: ReloadOutcome): string {
  if (!outcome.reloaded) return `reload failed, the previous settings remain in effect: ${outcome.reason}`;
  const { needRestart } = outcome;
  return needRestart.length === 0
    ? 'reloaded'
    : `reloaded. A restart is required for ${needRestart.join(', ')}`;
}

/** The operations of a running server for commands. */
export interface Controlled {
  reload(credentials?: Credentials): Promise<ReloadOutcome>;
  /** Those that it runs with, secrets masked. */
  settings(): ShownSettings;
}

const Ask = Type.Union([
  Type.Object({
    reload: Type.Object({ credentials: Type.Optional(Type.Record(Type.String(), Type.String())) }),
  }),
  Type.Object({ settings: Type.Object({}) }),
]);
const Running = Type.Object({ settings: Type.Record(Type.String(), Type.Unknown()) });
const Outcome = Type.Union([
  Type.Object({ reloaded: Type.Literal(true), needRestart: Type.Array(Type.String()) }),
  Type.Object({ reloaded: Type.Literal(false), reason: Type.String() }),
]);

/** Parses a peer's message; undefined when it is invalid. */
type Reader<Value> = (said: unknown) => Value | undefined;

const askIn: Reader<Static<typeof Ask>> = (said) => (Check(Ask, said) ? said : undefined);
const runningIn: Reader<{ settings: ShownSettings }> = (said) => (Check(Running, said) ? said : undefined);
const outcomeIn: Reader<ReloadOutcome> = (said) => (Check(Outcome, said) ? said : undefined);

const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;
const ASK_MS_MAX = 10 * SECOND_MS;
/** Connections are drained for ten seconds, by each reload that waits before this one as well. */
const OUTCOME_MS_MAX = MINUTE_MS;

export const controlPath = (dataDir: string): string => join(dataDir, 'redoubt.control');

/**
 * Answers commands until it is closed.
 *
 * @param waitMs how long a question may take to arrive, in milliseconds
 * @throws Error when the socket cannot be made
 */
export async function openControl(
  path: string,
  server: Controlled,
  waitMs = ASK_MS_MAX,
): Promise<{ close(): void }> {
  const answer = async (ask: Static<typeof Ask>) =>
    'reload' in ask ? server.reload(ask.reload.credentials) : { settings: server.settings() };
  const listener = createServer(async (socket) => {
    socket.on('error', () => socket.destroy());
    const ask = await lineOf(socket, askIn, waitMs);
    if (ask === undefined) socket.destroy();
    else socket.end(lineFor(await answer(ask)));
  });
  // The holder of the directory's lock is alone: an existing socket was left by a killed process.
  rmSync(path, { force: true });
  listener.listen(path).unref();
  await once(listener, 'listening');
  chmodSync(path, 0o600);
  // For lack of files, for example: then the caller gets no answer.
  listener.on('error', () => {});
  return { close: () => listener.close() };
}

/**
 * Has the server that uses a data directory reload.
 *
 * @returns undefined when there is none
 * @throws Fault when it does not answer
 */
export const askReload = (path: string, credentials?: Credentials): Promise<ReloadOutcome | undefined> =>
  ask(path, { reload: { credentials } }, outcomeIn, OUTCOME_MS_MAX);

/**
 * Asks the server that uses a data directory for the settings that it runs with, secrets masked.
 *
 * @returns undefined when there is none
 * @throws Fault when it does not answer
 */
export async function askSettings(path: string): Promise<ShownSettings | undefined> {
  return (await ask(path, { settings: {} }, runningIn, ASK_MS_MAX))?.settings;
}

async function ask<Value>(path: string, question: object, read: Reader<Value>, waitMs: number) {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.on('error', () => socket.destroy());
  socket.write(lineFor(question));
  const answer = await lineOf(socket, read, waitMs);
  socket.destroy();
  if (answer === undefined) throw new Fault('the server did not respond. See its log');
  return answer;
}

const lineFor = (value: object): string => `${JSON.stringify(value)}\n`;

/** A peer's message; undefined when it is invalid or late. */
async function lineOf<Value>(socket: Socket, read: Reader<Value>, waitMs: number) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  // A limit of the total time: a peer that sends a character a second is not ours.
  const late = setTimeout(() => resolve(''), waitMs);
  socket.setEncoding('utf8');
  socket.once('close', () => resolve(''));
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.endsWith('\n') || text.length > LINE_CHARACTERS_MAX) resolve(text);
  });
  try {
    return read(JSON.parse(await promise));
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
  }
}
