import { Worker } from 'node:worker_threads';

type Rows = Record<string, unknown>[];
/** What the thread of ask-postgres-thread.ts answers. */
export type Answer = { readonly rows: Rows } | { readonly error: string };

/** An answer as the thread leaves it: how long it is, 0 while there is none, and its JSON. */
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

  /** Waits for it, as nothing else of this thread does meanwhile. */
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
 * Asks a PostgreSQL and waits for what it answers, so that tests read a database by the same words on either engine: SQLite's is
 * read at once.
 *
 * @param url as SERVICE_DATABASE_URL has it
 */
export function askPostgres(url: string, sql: string, params: readonly (string | number | null)[]): Rows {
  started ??= start();
  const { worker, answer } = started;
  answer.clear();
  worker.postMessage({ url, sql, params });
  const taken = answer.take(PATIENCE_MS);
  if (taken === undefined) {
    // What comes late is no answer to the next question.
    started = undefined;
    throw new Error(`PostgreSQL did not answer: ${sql}`);
  }
  if ('error' in taken) throw new Error(`${taken.error}: ${sql}`);
  return taken.rows;
}
