import { createIdentities } from '../../domain/identity.ts';
import type { FeedSnapshot } from '../../domain/threat/feed.ts';
import { Fault, faultOf } from '../../lib/fault.ts';
import { Turns } from '../../lib/turns.ts';
import { computeFeed, type FeedTerms } from '../feed-snapshots.ts';
import { connect, disconnect, probeWrite, truncateLog } from './database.ts';
import type { Job } from './jobs.ts';
import { type Change, type JobOutcome, prepareBatches } from './writer.ts';

/** What a storage thread can be asked. Each request has one answer, in order. */
export type ThreadRequest =
  | { readonly ask: 'open'; readonly path: string }
  | { readonly ask: 'commit'; readonly work: readonly (Job | Change)[] }
  | { readonly ask: 'feed'; readonly terms: FeedTerms; readonly secret: Uint8Array }
  | { readonly ask: 'probe'; readonly write: boolean }
  | { readonly ask: 'truncateLog' }
  | { readonly ask: 'close' };

export type ThreadAnswer = { readonly value: unknown } | { readonly fault: string };

/** The side inside the thread: one connection, requests answered one after another. */
export function createThreadSide(): (request: ThreadRequest) => Promise<ThreadAnswer> {
  let db: ReturnType<typeof connect> | undefined;
  let commit: ReturnType<typeof prepareBatches> | undefined;
  const turns = new Turns();

  const opened = () => {
    if (db === undefined) throw new Error('the thread has no open database');
    return db;
  };

  const answer = async (request: ThreadRequest): Promise<unknown> => {
    switch (request.ask) {
      case 'open':
        db = connect(request.path);
        return undefined;
      case 'commit':
        commit ??= prepareBatches(opened());
        return commit(request.work);
      case 'feed':
        return computeFeed(opened(), request.terms, createIdentities(request.secret));
      case 'probe':
        return probeWrite(opened(), request.write);
      case 'truncateLog':
        truncateLog(opened());
        return undefined;
      case 'close':
        if (db) disconnect(db);
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

/** The side outside: a thread that has the database open. */
export interface StorageThread {
  commit(work: readonly (Job | Change)[]): Promise<JobOutcome[]>;
  /**
   * See computeFeed.
   *
   * @param secret of the installation
   */
  computeFeed(terms: FeedTerms, secret: Uint8Array): Promise<FeedSnapshot | undefined>;
  /** See probeWrite. */
  probe(write: boolean): Promise<void>;
  /** Brings everything from the write-ahead log into the database, and gives the log's room back. */
  truncateLog(): Promise<void>;
  /** Ends the thread, once it has answered what it was asked. */
  close(): Promise<void>;
}

/**
 * @param onDeath called when the thread itself failed; whatever it was asked, and is asked afterwards, is rejected
 * @throws Fault when the thread cannot open the database, and ends it
 */
export async function openStorageThread(
  worker: Worker,
  path: string,
  onDeath: (message: string) => void,
): Promise<StorageThread> {
  let death: Fault | undefined;
  const asked: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = [];
  worker.onmessage = ({ data }: MessageEvent<ThreadAnswer>) => {
    const pending = asked.shift();
    if ('fault' in data) pending?.reject(new Fault(data.fault));
    else pending?.resolve(data.value);
  };
  // Neither runtime tells the error itself, only its message, which may hold what a caller sent.
  worker.onerror = (event) => {
    event.preventDefault();
    death = new Fault('a storage thread died');
    for (const { reject } of asked.splice(0)) reject(death);
    onDeath(death.message);
  };

  const ask = <Value>(request: ThreadRequest) =>
    new Promise<Value>((resolve, reject) => {
      if (death) return reject(death);
      asked.push({ resolve: resolve as (value: unknown) => void, reject });
      worker.postMessage(request);
    });

  const end = () => worker.terminate();
  await ask({ ask: 'open', path }).catch((error) => {
    end();
    throw error;
  });
  return {
    commit: (work) => ask({ ask: 'commit', work }),
    computeFeed: (terms, secret) => ask({ ask: 'feed', terms, secret }),
    probe: (write) => ask({ ask: 'probe', write }),
    truncateLog: () => ask({ ask: 'truncateLog' }),
    close: () => ask<void>({ ask: 'close' }).finally(end),
  };
}
