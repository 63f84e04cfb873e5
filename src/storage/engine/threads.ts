import { createIdentities } from '../../domain/identity.ts';
import type { FeedSnapshot } from '../../domain/threat/feed.ts';
import { Fault, faultOf } from '../../lib/fault.ts';
import { Turns } from '../../lib/turns.ts';
import type { PostgresAddress } from '../../settings/database-address.ts';
import type { checkBackup } from '../backup/check-backup.ts';
import type { Job } from '../jobs.ts';
import type { FeedTerms } from '../threats/feed-snapshots.ts';
import { type Database, disconnect, truncateLog } from './database.ts';
import { connect } from './sqlite/database.ts';
import { type Change, isTelemetry, type JobOutcome, prepareBatches, type TelemetryJob } from './writer.ts';

/** What a storage thread can be asked. Each request has one answer, in order. */
export type ThreadRequest =
  | { readonly ask: 'open'; readonly of: DatabasePlace; readonly timeoutMs: number }
  | { readonly ask: 'commit'; readonly work: readonly SentWork[] }
  | { readonly ask: 'feed'; readonly terms: FeedTerms; readonly secret: Uint8Array }
  | { readonly ask: 'probe'; readonly write: boolean }
  | { readonly ask: 'truncateLog' }
  | { readonly ask: 'backup'; readonly path: string; readonly workDir: string }
  | { readonly ask: 'close' };

/** Telemetry goes as JSON, which holds all of it: the runtime takes twice as long to copy many small objects. */
type SentWork = Exclude<Job, TelemetryJob> | Change | { readonly telemetry: string };

const sent = (work: Job | Change): SentWork =>
  isTelemetry(work) ? { telemetry: JSON.stringify(work.input) } : work;

const received = (work: SentWork): Job | Change =>
  'telemetry' in work ? { name: 'recordTelemetry', input: JSON.parse(work.telemetry) } : work;

/** Where a database is: the path of SQLite's, or the address of PostgreSQL's. */
export type DatabasePlace = string | PostgresAddress;

async function connectTo(place: DatabasePlace, timeoutMs: number): Promise<Database> {
  if (typeof place === 'string') return connect(place);
  const { connectPostgres } = await import('./postgres/database.ts');
  return connectPostgres(place, { connectionsMax: 1, timeoutMs });
}

export type ThreadAnswer = { readonly value: unknown } | { readonly fault: string };

/** The side inside the thread: one connection, requests answered one after another. */
export function createThreadSide(): (request: ThreadRequest) => Promise<ThreadAnswer> {
  let db: Database | undefined;
  let commit: ReturnType<typeof prepareBatches> | undefined;
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
        commit ??= prepareBatches(opened());
        return commit(request.work.map(received));
      case 'feed': {
        const { computeFeed } = await import('../threats/feed-snapshots.ts');
        return computeFeed(opened(), request.terms, createIdentities(request.secret));
      }
      case 'probe':
        return opened().connection.probe(request.write);
      case 'truncateLog':
        return truncateLog(opened());
      case 'backup':
        return (await import('../backup/check-backup.ts')).checkBackup(request.path, request.workDir);
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

/** A change of a request: whoever waits longer is answered that it cannot be stored. */
const REQUEST_MS = 1_500;

/** The side outside: a thread that has the database open. */
export interface StorageThread {
  commit(work: readonly (Job | Change)[]): Promise<JobOutcome[]>;
  /**
   * See computeFeed.
   *
   * @param secret of the installation
   */
  computeFeed(terms: FeedTerms, secret: Uint8Array): Promise<FeedSnapshot | undefined>;
  /** See Connection. */
  probe(write: boolean): Promise<void>;
  /** Brings everything from the write-ahead log into the database, and gives the log's room back. */
  truncateLog(): Promise<void>;
  /** Ends the thread, once it has answered what it was asked. */
  close(): Promise<void>;
}

/** A thread that answers one request after another. */
interface Asked {
  ask<Value>(request: ThreadRequest): Promise<Value>;
  /** Ends it at once, whatever it does; what it was asked, and is asked afterwards, is rejected. */
  end(): void;
}

/** @param onDeath called when the thread itself failed; whatever it was asked, and is asked afterwards, is rejected */
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
  // Neither runtime tells the error itself, only its message, which may hold what a caller sent.
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

/**
 * @param onDeath see talkTo
 * @param timeoutMs how long a statement may take where another host answers it
 * @throws Fault when the thread cannot open the database, and ends it
 */
export async function openStorageThread(
  worker: Worker,
  place: DatabasePlace,
  onDeath: (message: string) => void,
  timeoutMs = REQUEST_MS,
): Promise<StorageThread> {
  const { ask, end } = talkTo(worker, onDeath);
  await ask({ ask: 'open', of: place, timeoutMs }).catch((error) => {
    end();
    throw error;
  });
  return {
    commit: (work) => ask({ ask: 'commit', work: work.map(sent) }),
    computeFeed: (terms, secret) => ask({ ask: 'feed', terms, secret }),
    probe: (write) => ask({ ask: 'probe', write }),
    truncateLog: () => ask({ ask: 'truncateLog' }),
    close: () => ask<void>({ ask: 'close' }).finally(end),
  };
}

/**
 * Looks through a backup on a thread that does nothing else, has no database open and ends afterwards; see checkBackup.
 *
 * @throws Fault when the thread failed, or was ended by the signal
 */
export async function checkBackupBeside(
  worker: Worker,
  { path, workDir }: { readonly path: string; readonly workDir: string },
  ended: AbortSignal,
): ReturnType<typeof checkBackup> {
  const { ask, end } = talkTo(worker, () => {});
  ended.addEventListener('abort', end);
  try {
    return await ask({ ask: 'backup', path, workDir });
  } finally {
    ended.removeEventListener('abort', end);
    end();
  }
}
