import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { KeptBackup } from '../storage/installation/backups.ts';

/** What was found when a backup was verified. */
export interface BackupCheck {
  /** What is wrong with it, in one sentence for the operator; null = nothing. */
  readonly problem: string | null;
}

/** Verifies a backup beside the requests; rejects when that could not be done, or was ended. */
export type CheckBackup = (path: string, ended: AbortSignal) => Promise<BackupCheck>;

/** Creates a backup beside the requests, and records it; rejects when that could not be done, or was ended. */
export type CreateBackup = (ended: AbortSignal) => Promise<void>;

/** Work on a backup that is under way, or the last that was. */
export interface BackupLook {
  /** Of the backup that is verified; undefined for one that is created. */
  readonly path: string | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly begunAt: number;
  /** `failed`: nothing was created, found, or could be kept; the log has the reason. */
  readonly outcome: 'running' | 'failed' | BackupCheck;
}

/** Creates and verifies backups for operators, one at a time: each reads gigabytes. */
export interface BackupDesk {
  /** Undefined where nothing was begun since the start. */
  latest(): BackupLook | undefined;
  /**
   * Begins to verify a backup.
   *
   * @param keep keeps what was found
   * @returns false while other work is under way
   */
  begin(backup: Pick<KeptBackup, 'path'>, keep: (found: BackupCheck) => Promise<Refusal | object>): boolean;
  /**
   * Begins to create a backup.
   *
   * @returns false while other work is under way
   */
  create(): boolean;
  /** Ends what is under way, of which nothing is kept. */
  stop(): void;
}

export interface BackupDeskParts {
  readonly check: CheckBackup;
  readonly create: CreateBackup;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export function createBackupDesk({ check, create, clock, log }: BackupDeskParts): BackupDesk {
  const ending = new AbortController();
  const { signal } = ending;
  let latest: BackupLook | undefined;

  /** Runs one at a time; what it rejects with is for the log. */
  const start = (path: string | undefined, failure: string, work: () => Promise<BackupLook['outcome']>) => {
    if (latest?.outcome === 'running' || signal.aborted) return false;
    const look = { path, begunAt: clock.now() };
    latest = { ...look, outcome: 'running' };
    const failed = (error: unknown) => {
      if (!signal.aborted) log.warn(failure, { fault: faultOf(error) });
      return 'failed' as const;
    };
    void work()
      .catch(failed)
      .then((outcome) => {
        latest = { ...look, outcome };
      });
    return true;
  };

  return {
    latest: () => latest,
    begin: ({ path }, keep) =>
      start(path, 'a backup could not be checked', async () => {
        const found = await check(path, signal);
        if (signal.aborted) return 'failed';
        const kept = await keep(found);
        if (!isRefusal(kept)) return found;
        log.warn('the result of a backup check could not be stored', { reason: kept.message });
        return 'failed';
      }),
    create: () =>
      start(undefined, 'a backup could not be created', async () => {
        await create(signal);
        return { problem: null };
      }),
    stop: () => ending.abort(),
  };
}
