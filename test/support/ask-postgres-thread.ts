import { parentPort, workerData } from 'node:worker_threads';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { type Database, disconnect } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { type Answer, SharedAnswer } from './ask-postgres.ts';
import { openPostgres } from './postgres.ts';

interface Question {
  readonly url: string;
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

const answer = new SharedAnswer(workerData as SharedArrayBuffer);

/** A connection costs more than most questions, but an open one prevents the deletion of its database. */
const IDLE_MS = 50;

let open: { readonly url: string; readonly db: Database; idle?: Timer } | undefined;

async function close(): Promise<void> {
  const closing = open;
  open = undefined;
  if (closing) await disconnect(closing.db).catch(() => {});
}

async function answerTo({ url, sql, params }: Question): Promise<Answer> {
  clearTimeout(open?.idle);
  if (open?.url !== url) await close();
  open ??= { url, db: openPostgres(postgresAddress(url)) };
  try {
    return { rows: await prepare<Record<string, unknown>>(open.db, sql).all(...params) };
  } catch (error) {
    await close();
    return { error: String(error) };
  } finally {
    if (open) open.idle = setTimeout(close, IDLE_MS);
  }
}

parentPort?.on('message', async (question: Question) => answer.give(await answerTo(question)));
