import type { Database } from '../storage/engine/database.ts';
import { openSnapshot, type Snapshot } from '../storage/mirror/open-snapshot.ts';
import { type SnapshotId, snapshotPath } from '../storage/mirror/snapshot-files.ts';
import { readMirrorState } from '../storage/mirror-state.ts';

/**
 * Opens the snapshot in use for a command, and closes it again.
 *
 * @param use gets null when nothing was imported yet
 * @throws DatabaseUnusable when it cannot be read
 */
export async function withCurrentSnapshot<Value>(
  db: Database,
  directory: string,
  use: (snapshot: Snapshot | null) => Value | Promise<Value>,
): Promise<Value> {
  const { current } = await readMirrorState(db)();
  return withSnapshot(directory, current, use);
}

/** The same of any snapshot, or of none. */
export async function withSnapshot<Value>(
  directory: string,
  id: SnapshotId | null,
  use: (snapshot: Snapshot | null) => Value | Promise<Value>,
): Promise<Value> {
  const snapshot = id === null ? null : openSnapshot(snapshotPath(directory, id), id);
  try {
    return await use(snapshot);
  } finally {
    snapshot?.close();
  }
}
