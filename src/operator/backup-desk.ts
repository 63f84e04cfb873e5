import { isRefusal, type Refusal } from '../domain/refusal.ts';
import type { Clock } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import type { KeptBackup } from '../storage/installation/backups.ts';

/** What was found when a backup was looked through. */
export interface BackupCheck {
  /** What is the matter with it, in one sentence for the operator; null = nothing. */
  readonly problem: string | null;
}

/** Looks through a backup beside the requests; rejects when that could not be done, or was ended. */
export type CheckBackup = (path: string, ended: AbortSignal) => Promise<BackupCheck>;

/** The look through a backup that is under way, or the last one. */
export interface BackupLook {
  readonly path: string;
  /** Milliseconds since the Unix epoch. */
  readonly begunAt: number;
  /** `failed`: nothing was found, or could be kept; the log has the reason. */
  readonly outcome: 'running' | 'failed' | BackupCheck;
}

/** Looks through backups for operators, one at a time: each reads gigabytes. */
export interface BackupDesk {
  /** Undefined where none was begun since the start. */
  latest(): BackupLook | undefined;
  /**
   * Begins to look through a backup.
   *
   * @param keep keeps what was found
   * @returns false while another look is under way
   */
  begin(backup: Pick<KeptBackup, 'path'>, keep: (found: BackupCheck) => Promise<Refusal | object>): boolean;
  /** Ends what is under way, of which nothing is kept. */
  stop(): void;
}

export interface BackupDeskParts {
  readonly check: CheckBackup;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export function createBackupDesk({ check, clock, log }: BackupDeskParts): BackupDesk {
  const ending = new AbortController();
  let latest: BackupLook | undefined;

  const outcomeOf = async (
    path: string,
    keep: Parameters<BackupDesk['begin']>[1],
  ): Promise<BackupLook['outcome']> => {
    try {
      const found = await check(path, ending.signal);
      if (ending.signal.aborted) return 'failed';
      const kept = await keep(found);
      if (!isRefusal(kept)) return found;
      log.warn('the result of a backup check could not be stored', { reason: kept.message });
    } catch (error) {
      if (!ending.signal.aborted) log.warn('a backup could not be checked', { fault: faultOf(error) });
    }
    return 'failed';
  };

  return {
    latest: () => latest,
    begin({ path }, keep) {
      if (latest?.outcome === 'running' || ending.signal.aborted) return false;
      const look = { path, begunAt: clock.now() };
      latest = { ...look, outcome: 'running' };
      void outcomeOf(path, keep).then((outcome) => {
        latest = { ...look, outcome };
      });
      return true;
    },
    stop: () => ending.abort(),
  };
}
