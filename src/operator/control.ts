import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import type { Credentials } from '../lib/read-file.ts';

// A socket in the data directory, for its owner alone: a command asks there for what only the running server can do, and waits
// for the outcome. One line of JSON each way.

export type ReloadOutcome =
  /** Settings that were not taken over, because they need a restart. */
  | { readonly reloaded: true; readonly needRestart: readonly string[] }
  | { readonly reloaded: false; readonly reason: string };

/** What an outcome means for the operator. */
export function outcomeWords(outcome: ReloadOutcome): string {
  if (!outcome.reloaded) return `not reloaded, the old settings stay: ${outcome.reason}`;
  const { needRestart } = outcome;
  return needRestart.length === 0
    ? 'reloaded'
    : `reloaded, but a restart is needed for ${needRestart.join(', ')}`;
}

const Ask = Type.Object({
  reload: Type.Object({ credentials: Type.Optional(Type.Record(Type.String(), Type.String())) }),
});
const Outcome = Type.Union([
  Type.Object({ reloaded: Type.Literal(true), needRestart: Type.Array(Type.String()) }),
  Type.Object({ reloaded: Type.Literal(false), reason: Type.String() }),
]);

const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;
const ASK_MS_MAX = 10 * SECOND_MS;
/** Connections are drained for ten seconds, by each reload that waits before this one as well. */
const OUTCOME_MS_MAX = MINUTE_MS;

export const controlPath = (dataDir: string): string => join(dataDir, 'redoubt.control');

/**
 * Answers commands until it is closed.
 *
 * @throws Error when the socket cannot be made
 */
export async function openControl(
  path: string,
  reload: (credentials?: Credentials) => Promise<ReloadOutcome>,
): Promise<{ close(): void }> {
  const server = createServer(async (socket) => {
    socket.on('error', () => socket.destroy());
    const ask = await lineOf(socket, Ask, ASK_MS_MAX);
    if (ask === undefined) socket.destroy();
    else socket.end(lineFor(await reload(ask.reload.credentials)));
  });
  // Whoever holds the directory's lock is alone here: what is there was left by a killed process.
  rmSync(path, { force: true });
  server.listen(path).unref();
  await once(server, 'listening');
  chmodSync(path, 0o600);
  // For want of files, for example: whoever asks is not answered then.
  server.on('error', () => {});
  return { close: () => server.close() };
}

/**
 * Has the server that uses a data directory reload.
 *
 * @returns undefined when there is none
 * @throws Fault when it does not answer
 */
export async function askReload(path: string, credentials?: Credentials): Promise<ReloadOutcome | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  socket.on('error', () => socket.destroy());
  socket.write(lineFor({ reload: { credentials } }));
  const outcome = await lineOf(socket, Outcome, OUTCOME_MS_MAX);
  socket.destroy();
  if (outcome === undefined) throw new Fault('the server did not answer: look at its log');
  return outcome;
}

const lineFor = (value: object): string => `${JSON.stringify(value)}\n`;

/** What a peer says, undefined when it is not of the schema, or does not come in time. */
async function lineOf<Schema extends TSchema>(socket: Socket, schema: Schema, waitMs: number) {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.setEncoding('utf8').setTimeout(waitMs, () => resolve(''));
  socket.once('close', () => resolve(''));
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.endsWith('\n') || text.length > LINE_CHARACTERS_MAX) resolve(text);
  });
  try {
    const said: unknown = JSON.parse(await promise);
    return Check(schema, said) ? said : undefined;
  } catch {
    return undefined;
  } finally {
    socket.setTimeout(0);
  }
}
