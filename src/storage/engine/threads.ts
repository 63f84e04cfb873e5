import { Fault, faultOf } from '../../lib/fault.ts';
import { Turns } from '../../lib/turns.ts';
import type { PostgresAddress } from '../../settings/database-address.ts';
import { type Database, disconnect, truncateLog } from './database.ts';
import type { Job, JobName } from './jobs/jobs.ts';
import { connect } from './sqlite/database.ts';
import { batchesOf, type Change, type JobOutcome, type LoadJobs } from './writer.ts';

/** A request to a storage thread. Each has one answer, in order. */
export type ThreadRequest =
  | { readonly ask: 'open'; readonly of: DatabasePlace; readonly timeoutMs: number }
  | { readonly ask: 'commit'; readonly work: readonly SentWork[] }
  | { readonly ask: 'task'; readonly task: string; readonly input: unknown }
  | { readonly ask: 'probe'; readonly write: boolean }
  | { readonly ask: 'truncateLog' }
  | { readonly ask: 'close' };

/** Some inputs go as JSON: the runtime takes twice as long to copy many small objects. */
type SentWork = Job | Change | { readonly name: JobName; readonly json: string };

const received = (work: SentWork): Job | Change =>
  'json' in work ? ({ name: work.name, input: JSON.parse(work.json) } as Job) : work;

/** The path of a SQLite database, or the address of a PostgreSQL database. */
export type DatabasePlace = string | PostgresAddress;

async function connectTo(place: DatabasePlace, timeoutMs: number): Promise<Database> {
  if (typeof place === 'string') return connect(place);
  const { connectPostgres } = await import('./postgres/database.ts');
  return connectPostgres(place, { connectionsMax: 1, timeoutMs });
}

export type ThreadAnswer = { readonly value: unknown } | { readonly fault: string };

/** The tasks of a thread other than changes of its open database, by name. */
export type ThreadTasks = Readonly<
  Record<string, (opened: () => Database, input: never) => Promise<unknown>>
>;

/** The side inside the thread: one connection, requests answered one after another. */
export function createThreadSide(
  loadJobs: LoadJobs,
  tasks: ThreadTasks,
): (request: ThreadRequest) => Promise<ThreadAnswer> {
  let db: Database | undefined;
  let commit: ReturnType<typeof batchesOf> | undefined;
  const turns = new Turns();

  const opened = () => {
    if (db === undefined) throw new Error('the thread has no open database');
    return db;
  };

  const answer = async (request: ThreadRequest): Promise<unknown> => {
    switch (request.ask) {
      case 'open':
        db = await connectTo(request.of, request.timeoutMs);
        return undefined;
      case 'commit':
        commit ??= batchesOf(opened(), loadJobs);
        return commit(request.work.map(received));
      case 'task':
        return tasks[request.task]?.(opened, request.input as never);
      case 'probe':
        return opened().connection.probe(request.write);
      case 'truncateLog':
        return truncateLog(opened());
      case 'close':
        if (db) await disconnect(db);
        return undefined;
    }
  };

  return (request) =>
    turns
      .take(() => answer(request))
      .then(
        (value) => ({ value }),
        (error) => ({ fault: faultOf(error) }),
      );
}

/** For the changes of a request, which is refused after a longer wait. */
const REQUEST_MS = 1_500;

/** The side outside: a thread that has the database open. */
export interface StorageThread {
  commit(work: readonly (Job | Change)[]): Promise<JobOutcome[]>;
  /** Runs a task of the thread. */
  run<Value>(task: string, input: unknown): Promise<Value>;
  /** See Connection. */
  probe(write: boolean): Promise<void>;
  /** See Connection. */
  truncateLog(): Promise<void>;
  /** Ends the thread after its last answer. */
  close(): Promise<void>;
}

/** A thread that answers one request after another. */
interface Asked {
  ask<Value>(request: ThreadRequest): Promise<Value>;
  /** Ends it immediately; pending and later requests are rejected. */
  end(): void;
}

/** @param onDeath called when the thread itself failed; pending and later requests are rejected */
function talkTo(worker: Worker, onDeath: (message: string) => void): Asked {
  let death: Fault | undefined;
  const asked: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  const die = (why: Fault) => {
    death ??= why;
    for (const { reject } of asked.splice(0)) reject(death);
  };
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => {
    const pending = asked.shift();
    if ('fault' in data) pending?.reject(new Fault(data.fault));
    else pending?.resolve(data.value);
  };
  // Neither runtime passes the error itself, only its message, which may contain a caller's input.
  worker.onerror = (event) => {
    event.preventDefault();
    const why = new Fault('a storage thread died');
    die(why);
    onDeath(why.message);
  };
  return {
    ask: <Value>(request: ThreadRequest) =>
      new Promise<Value>((resolve, reject) => {
        if (death) return reject(death);
        asked.push({ resolve: resolve as (value: unknown) => void, reject });
        worker.postMessage(request);
      }),
    end() {
      worker.terminate();
      die(new Fault('a storage thread was ended'));
    },
  };
}

export interface ThreadOptions {
  /** Time limit of a statement on another host. */
  readonly timeoutMs?: number;
  /** Jobs whose inputs are many small objects, and go as JSON. */
  readonly asJson?: ReadonlySet<JobName>;
}

const NONE: ReadonlySet<JobName> = new Set();

/**
 * @param onDeath see talkTo
 * @throws Fault when the thread cannot open the database, and ends it
 */
export async function openStorageThread(
  worker: Worker,
  place: DatabasePlace,
  onDeath: (message: string) => void,
  { timeoutMs = REQUEST_MS, asJson = NONE }: ThreadOptions = {},
): Promise<StorageThread> {
  const { ask, end } = talkTo(worker, onDeath);
  await ask({ ask: 'open', of: place, timeoutMs }).catch((error) => {
    end();
    throw error;
  });
  const sent = (work: Job | Change): SentWork =>
    'name' in work && asJson.has(work.name) ? { name: work.name, json: JSON.stringify(work.input) } : work;
  return {
    commit: (work) => ask({ ask: 'commit', work: work.map(sent) }),
    run: (task, input) => ask({ ask: 'task', task, input }),
    probe: (write) => ask({ ask: 'probe', write }),
    truncateLog: () => ask({ ask: 'truncateLog' }),
    close: () => ask<void>({ ask: 'close' }).finally(end),
  };
}

/**
 * Runs a task on a separate thread, without an open database, which ends afterwards.
 *
 * @throws Fault when the thread failed, or was ended by the signal
 */
export async function runBeside<Value>(
  worker: Worker,
  task: string,
  input: unknown,
  ended: AbortSignal,
): Promise<Value> {
  const { ask, end } = talkTo(worker, () => {});
  ended.addEventListener('abort', end);
  try {
    return await ask({ ask: 'task', task, input });
  } finally {
    ended.removeEventListener('abort', end);
    end();
  }
}
