import { type MessagePort, workerData } from 'node:worker_threads';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import type { Answer } from './ask-postgres.ts';
import { openPostgres } from './postgres.ts';

interface Question {
  readonly url: string;
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

const { port, answered } = workerData as { port: MessagePort; answered: Int32Array };

async function answerTo({ url, sql, params }: Question): Promise<Answer> {
  const db = openPostgres(postgresAddress(url));
  try {
    return { rows: await prepare<Record<string, unknown>>(db, sql).all(...params) };
  } catch (error) {
    return { error: String(error) };
  } finally {
    await disconnect(db);
  }
}

port.on('message', async (question: Question) => {
  port.postMessage(await answerTo(question));
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});
