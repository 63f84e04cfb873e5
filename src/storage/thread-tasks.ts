import { createIdentities } from '../domain/identity.ts';
import type { FeedSnapshot } from '../domain/threat/feed.ts';
import type { checkBackup } from './backup/check-backup.ts';
import type { Database } from './engine/database.ts';
import { runBeside, type StorageThread } from './engine/threads.ts';
import type { FeedTerms } from './threats/feed-snapshots.ts';

interface FeedTask {
  readonly terms: FeedTerms;
  /** Of the installation. */
  readonly secret: Uint8Array;
}

interface BackupTask {
  readonly path: string;
  readonly workDir: string;
}

/** Tasks that take long enough for a separate thread. */
export const THREAD_TASKS = {
  feed: async (opened: () => Database, { terms, secret }: FeedTask): Promise<FeedSnapshot | undefined> =>
    (await import('./threats/feed-snapshots.ts')).computeFeed(opened(), terms, createIdentities(secret)),
  backup: async (_: unknown, { path, workDir }: BackupTask) =>
    (await import('./backup/check-backup.ts')).checkBackup(path, workDir),
};

/** See computeFeed. */
export const computeFeedOn = (thread: StorageThread, task: FeedTask): Promise<FeedSnapshot | undefined> =>
  thread.run('feed' satisfies keyof typeof THREAD_TASKS, task);

/** See checkBackup. */
export const checkBackupOn = (
  worker: Worker,
  task: BackupTask,
  ended: AbortSignal,
): ReturnType<typeof checkBackup> =>
  runBeside(worker, 'backup' satisfies keyof typeof THREAD_TASKS, task, ended);
