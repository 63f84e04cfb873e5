import type { Database } from '../storage/engine/database.ts';
import { openKeptSnapshot, type Snapshot } from '../storage/mirror/open-snapshot.ts';
import { sharedSnapshots } from '../storage/mirror/shared-snapshots.ts';
import type { SnapshotId } from '../storage/mirror/snapshot-files.ts';
import { readMirrorState } from '../storage/vulnerabilities/mirror-state.ts';

/**
 * Opens the snapshot in use for a command, and closes it again.
 *
 * @param use gets null when nothing was imported yet
 * @throws DatabaseUnusable when it cannot be read, or was changed
 */
export async function withCurrentSnapshot<Value>(
  db: Database,
  directory: string,
  use: (snapshot: Snapshot | null) => Value | Promise<Value>,
): Promise<Value> {
  const { current } = await readMirrorState(db)();
  if (current !== null) await sharedSnapshots(db, directory).fetch(current);
  return withSnapshot(directory, current, use);
}

/** The same of any snapshot, or of none. */
export async function withSnapshot<Value>(
  directory: string,
  id: SnapshotId | null,
  use: (snapshot: Snapshot | null) => Value | Promise<Value>,
): Promise<Value> {
  const snapshot = id === null ? null : await openKeptSnapshot(directory, id);
  try {
    return await use(snapshot);
  } finally {
    snapshot?.close();
  }
}
