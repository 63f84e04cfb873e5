import { isRefusal, type Refusal, refuse } from '../../domain/refusal.ts';
import type { Awaitable } from '../../lib/awaitable.ts';
import { Fault, faultOf } from '../../lib/fault.ts';
import { loadOnce } from '../../lib/load-once.ts';
import { oneAfterAnother } from '../../lib/one-after-another.ts';
import { type Database, inTransaction } from './database.ts';
import { askGenerations, type Generations } from './generations.ts';
import type { Job, JobInput, JobName, JobOutput, Jobs } from './jobs/jobs.ts';
import { type Together, togetherOf } from './jobs/together.ts';
import { STALE } from './stale.ts';
import { execute } from './statement.ts';
import { isTaken } from './trouble.ts';

/** The one way to change the database. */
export interface Writer {
  /**
   * Runs one change in a transaction. When the promise is fulfilled, except with a refusal, the change is on disk; a refused
   * change has no effect.
   */
  write<Name extends JobName>(name: Name, input: JobInput<Name>): Promise<JobOutput<Name> | Refusal>;
  /**
   * Runs the jobs of an operator's act in the same way, even with little room.
   *
   * @returns the output of each job; or STALE, without any change
   */
  change(change: Change): Promise<readonly unknown[] | typeof STALE | Refusal>;
  /** Resolves when everything accepted so far was brought to disk or failed. */
  settled(): Promise<void>;
  /** Stops after the accepted changes. */
  close(): Promise<void>;
}

/** Jobs that run in one transaction, unless something has changed since they were planned. */
export interface Change {
  readonly jobs: readonly Job[];
  /** The counters from before the plan's reads; undefined when the tables' constraints are sufficient. */
  readonly plannedAt: Planned | undefined;
  /** Whether it must not use the reserve of the disk, even if its jobs may. Set for what a tenant starts. */
  readonly sparesReserve?: boolean | undefined;
}

type Planned = Pick<Generations, 'licenses' | 'feed'>;

/** The outcome of one job or change: its output, or the fault that rolled it back. */
export type JobOutcome = { readonly output: unknown } | { readonly fault: string };

/** Prepares all jobs on a connection. */
export type LoadJobs = (db: Database) => Promise<Jobs>;

/**
 * Runs jobs together in one immediate transaction, to share the cost of a flush. Each has a savepoint: one that fails or
 * refuses is rolled back alone. On PostgreSQL, jobs that support it share a savepoint, and get their own only when one of them
 * fails or refuses.
 *
 * @throws when the transaction cannot begin or commit; then no job had an effect
 */
export function batchesOf(
  db: Database,
  loadJobs: LoadJobs,
): (work: readonly (Job | Change)[]) => Promise<JobOutcome[]> {
  const load = loadOnce(() => loadJobs(db));
  let jobs: Jobs;
  const run = (job: Job) => runJob(jobs, job);
  const counters = askGenerations(db);
  const exec = (sql: string) => execute(db, sql);

  const runTogether = async ({ jobs, plannedAt }: Change) => {
    const { licenses, feed } = await counters();
    if (plannedAt && (licenses !== plannedAt.licenses || feed !== plannedAt.feed)) return STALE;
    const outputs: unknown[] = [];
    for (const job of jobs) {
      const output = await run(job);
      if (isRefusal(output) || output === STALE) return output;
      outputs.push(output);
    }
    return outputs;
  };

  const runOne = async (work: Job | Change, send: Send): Promise<JobOutcome> => {
    send('SAVEPOINT job');
    try {
      const output = 'jobs' in work ? await runTogether(work) : await run(work);
      if (isRefusal(output) || output === STALE) await exec('ROLLBACK TO job');
      return { output };
    } catch (error) {
      await exec('ROLLBACK TO job');
      if ('jobs' in work && isTaken(error)) return { output: STALE };
      return { fault: faultOf(error) };
    } finally {
      send('RELEASE job');
    }
  };

  /**
   * Returns the outputs of jobs that were run together, in their places; none for jobs that must run alone, or when one fails
   * or refuses.
   */
  const runTogetherWith = async (together: Together, ofOne: readonly Job[], send: Send) => {
    send('SAVEPOINT together');
    const outputs = await together(ofOne.map(({ input }) => input)).catch(() => undefined);
    const isDone = Array.isArray(outputs);
    if (!isDone) await exec('ROLLBACK TO together');
    send('RELEASE together');
    return new Map(isDone ? ofOne.map((job, index) => [job, outputs[index]]) : []);
  };

  /** A job takes many statements, and on PostgreSQL a round trip takes as long as several of them. */
  const runAll = async (work: readonly (Job | Change)[], send: Send): Promise<JobOutcome[]> => {
    const done = new Map<Job | Change, unknown>();
    if (db.sqlDialect.isShared) {
      const single = work.filter((one) => 'name' in one);
      for (const [name, ofOne] of Map.groupBy(single, ({ name }) => name)) {
        const together = togetherOf(jobs[name]);
        if (together === undefined || ofOne.length === 1) continue;
        for (const [job, output] of await runTogetherWith(together, ofOne, send)) done.set(job, output);
      }
    }
    return oneAfterAnother(work, (one) => {
      const output = done.get(one);
      return output ? { output } : runOne(one, send);
    });
  };

  const runBatch = async (work: readonly (Job | Change)[]): Promise<JobOutcome[]> => {
    const sent: Promise<void>[] = [];
    // Later statements run after it, or fail too: so its answer can wait until the end.
    const send = (sql: string) => {
      const answered = Promise.resolve(exec(sql));
      answered.catch(() => {});
      sent.push(answered);
    };
    const outcomes = await runAll(work, send);
    await Promise.all(sent);
    return outcomes;
  };

  return async (work) => {
    jobs ??= await load();
    return inTransaction(db, () => runBatch(work));
  };
}

/**
 * Runs jobs as one change, which may depend on reads in its transaction.
 *
 * @throws when one of them fails or refuses, or the transaction cannot begin or commit; then none had an effect
 */
export function changesOf(
  db: Database,
  loadJobs: LoadJobs,
): <Value>(change: (run: (job: Job) => Promise<unknown>) => Promise<Value>) => Promise<Value> {
  const load = loadOnce(() => loadJobs(db));
  return async (change) => {
    const jobs = await load();
    return inTransaction(db, () =>
      change(async (job) => {
        const output = await runJob(jobs, job);
        if (isRefusal(output)) throw new Fault(output.message);
        return output;
      }),
    );
  };
}

/** Sends a statement without result and does not wait for it. */
type Send = (sql: string) => void;

const runJob = (jobs: Jobs, { name, input }: Job): Promise<unknown> =>
  (jobs as Readonly<Record<JobName, (input: unknown) => Promise<unknown>>>)[name](input);

export interface GroupWriterOptions {
  /** Commits one batch; rejects when none of it was committed. */
  readonly commit: (work: readonly (Job | Change)[]) => Promise<JobOutcome[]>;
  readonly onFault: (message: string) => void;
  /** Whether the database is unavailable; then everything is refused immediately. */
  readonly isAway?: () => boolean;
  /** Whether there is room without the reserve of the disk. */
  readonly hasRoom?: () => boolean;
  /** Whether a job may use the reserve. Any other job is refused when there is no room. Changes may use it unless they spare it. */
  readonly mayUseReserve?: (name: JobName) => Awaitable<boolean>;
  /** When a batch fails, jobs that have waited less than this get their own batch; the others are refused too. */
  readonly queueMsMax?: number;
  /** Limit of waiting jobs; more are refused immediately. */
  readonly waitingMax?: number;
  /** Jobs in one transaction, so that no commit takes long. */
  readonly batchMax?: number;
}

interface Waiting {
  readonly work: Job | Change;
  /** By performance.now(). */
  readonly since: number;
  readonly settle: (outcome: JobOutcome | undefined) => void;
}

const STORE_RETRY_SECONDS = 1;
const ROOM_RETRY_SECONDS = 60;

/** Group commit: jobs that arrive while one batch is being written form the next. */
export function createGroupWriter({
  commit,
  onFault,
  isAway = () => false,
  hasRoom = () => true,
  mayUseReserve = () => true,
  queueMsMax = 400,
  waitingMax = 256,
  batchMax = 32,
}: GroupWriterOptions): Writer {
  const queue: Waiting[] = [];
  let draining: Promise<void> | undefined;
  let closed = false;

  const commitNext = async () => {
    const batch = queue.splice(0, batchMax);
    try {
      // A job that has waited for an unavailable database does not wait for its own batch.
      const outcomes = isAway() ? [] : await commit(batch.map(({ work }) => work));
      for (const [index, { settle }] of batch.entries()) settle(outcomes[index]);
    } catch (error) {
      onFault(faultOf(error));
      const tooLate = performance.now() - queueMsMax;
      const inVain = queue.findIndex(({ since }) => since > tooLate);
      batch.push(...queue.splice(0, inVain === -1 ? queue.length : inVain));
      for (const { settle } of batch) settle(undefined);
    }
  };

  const drain = async () => {
    // One turn later, so that simultaneous jobs are written together.
    await new Promise(setImmediate);
    while (queue.length > 0) await commitNext();
    draining = undefined;
  };

  const accept = (work: Job | Change): Promise<unknown> => {
    if (closed || isAway() || queue.length >= waitingMax) return Promise.resolve(storeUnavailable());
    return new Promise((resolve) => {
      const settle = (outcome: JobOutcome | undefined) => {
        if (outcome && 'output' in outcome) return resolve(outcome.output);
        if (outcome) onFault(`${namesIn(work)}: ${outcome.fault}`);
        resolve(storeUnavailable());
      };
      queue.push({ work, since: performance.now(), settle });
      draining ??= drain();
    });
  };

  const write = async (name: JobName, input: unknown): Promise<unknown> =>
    hasRoom() || (await mayUseReserve(name))
      ? accept({ name, input } as Job)
      : storeUnavailable(ROOM_RETRY_SECONDS);

  const change = async (work: Change): Promise<unknown> =>
    !work.sparesReserve || hasRoom() ? accept(work) : storeUnavailable(ROOM_RETRY_SECONDS);

  return {
    write: write as Writer['write'],
    change: change as Writer['change'],
    settled: async () => draining,
    async close() {
      closed = true;
      await draining;
    },
  };
}

const namesIn = (work: Job | Change): string =>
  'jobs' in work ? [...new Set(work.jobs.map(({ name }) => name))].join(', ') : work.name;

/** For a change that cannot be committed now. */
export const storeUnavailable = (retryAfterSeconds = STORE_RETRY_SECONDS): Refusal =>
  refuse('STORE_UNAVAILABLE', 'Changes cannot be stored at the moment. Try again later.', retryAfterSeconds);
