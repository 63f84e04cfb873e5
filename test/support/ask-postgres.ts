import { Worker } from 'node:worker_threads';

type Rows = Record<string, unknown>[];
/** The answer of the thread in ask-postgres-thread.ts. */
export type Answer = { readonly rows: Rows } | { readonly error: string };

/** An answer as the thread writes it: its length, 0 while there is none, and its JSON. */
export class SharedAnswer {
  static readonly BYTES = 64 * 1024 * 1024;
  readonly #length: Int32Array<SharedArrayBuffer>;
  readonly #text: Uint8Array<SharedArrayBuffer>;

  constructor(buffer: SharedArrayBuffer) {
    this.#length = new Int32Array(buffer, 0, 1);
    this.#text = new Uint8Array(buffer, Int32Array.BYTES_PER_ELEMENT);
  }

  clear(): void {
    Atomics.store(this.#length, 0, 0);
  }

  give(answer: Answer): void {
    const bytes = Buffer.from(JSON.stringify(answer));
    this.#text.set(bytes);
    Atomics.store(this.#length, 0, bytes.length);
    Atomics.notify(this.#length, 0);
  }

  /** Waits for it; nothing else in this thread runs meanwhile. */
  take(patienceMs: number): Answer | undefined {
    if (Atomics.wait(this.#length, 0, 0, patienceMs) === 'timed-out') return undefined;
    const length = Atomics.load(this.#length, 0);
    return JSON.parse(Buffer.from(this.#text.slice(0, length)).toString());
  }
}

const PATIENCE_MS = 30_000;

const start = () => {
  const buffer = new SharedArrayBuffer(SharedAnswer.BYTES);
  const worker = new Worker(new URL('./ask-postgres-thread.ts', import.meta.url), { workerData: buffer });
  worker.unref();
  return { worker, answer: new SharedAnswer(buffer) };
};
let started: ReturnType<typeof start> | undefined;

/**
 * Queries PostgreSQL synchronously, so that tests read a database in the same way on either engine: SQLite's
 * is read synchronously.
 *
 * @param url in the form of SERVICE_DATABASE_URL
 */
export function askPostgres(url: string, sql: string, params: readonly (string | number | null)[]): Rows {
  started ??= start();
  const { worker, answer } = started;
  answer.clear();
  worker.postMessage({ url, sql, params });
  const taken = answer.take(PATIENCE_MS);
  if (taken === undefined) {
    // A late answer does not belong to the next query.
    started = undefined;
    throw new Error(`PostgreSQL did not answer: ${sql}`);
  }
  if ('error' in taken) throw new Error(`${taken.error}: ${sql}`);
  return taken.rows;
}
