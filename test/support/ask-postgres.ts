import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

type Rows = Record<string, unknown>[];
/** What the thread of ask-postgres-thread.ts answers. */
export type Answer = { readonly rows: Rows } | { readonly error: string };

const PATIENCE_MS = 30_000;

const start = () => {
  const { port1: port, port2: theirs } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./ask-postgres-thread.ts', import.meta.url), {
    workerData: { port: theirs, answered },
    transferList: [theirs],
  });
  worker.unref();
  return { port, answered };
};
let started: ReturnType<typeof start> | undefined;

/**
 * Asks a PostgreSQL and waits for what it answers, so that tests read a database by the same words on either engine: SQLite's is
 * read at once.
 *
 * @param url as SERVICE_DATABASE_URL has it
 */
export function askPostgres(url: string, sql: string, params: readonly (string | number | null)[]): Rows {
  started ??= start();
  const { port, answered } = started;
  Atomics.store(answered, 0, 0);
  port.postMessage({ url, sql, params });
  Atomics.wait(answered, 0, 0, PATIENCE_MS);
  const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
  if (answer === undefined) throw new Error(`PostgreSQL did not answer: ${sql}`);
  if ('error' in answer) throw new Error(`${answer.error}: ${sql}`);
  return answer.rows;
}
