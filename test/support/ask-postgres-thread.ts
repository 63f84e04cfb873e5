import { parentPort, workerData } from 'node:worker_threads';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { disconnect } from '../../src/storage/engine/database.ts';
import { prepare } from '../../src/storage/engine/statement.ts';
import { type Answer, SharedAnswer } from './ask-postgres.ts';
import { openPostgres } from './postgres.ts';

interface Question {
  readonly url: string;
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

const answer = new SharedAnswer(workerData as SharedArrayBuffer);

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

parentPort?.on('message', async (question: Question) => answer.give(await answerTo(question)));
