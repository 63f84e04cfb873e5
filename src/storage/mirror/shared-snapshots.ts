import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { flush } from '../../lib/lay-file.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';
import { readMirrorState } from '../vulnerabilities/mirror-state.ts';
import { openKeptSnapshot, type Snapshot } from './open-snapshot.ts';
import { checkBytes, pruneSnapshots, type SnapshotId, snapshotPath } from './snapshot-files.ts';

/** The snapshot files in a data directory, which several nodes exchange through their database. */
export interface SharedSnapshots {
  /**
   * Writes the file of a snapshot, unless it exists or no node has it.
   *
   * @returns whether it did
   * @throws DatabaseAway
   */
  fetch(id: SnapshotId): Promise<boolean>;
  /** Uploads the file of a snapshot for the other nodes, unless they have it. */
  share(id: SnapshotId): Promise<void>;
  /** Opens a snapshot of any node; see openKeptSnapshot. */
  open(id: SnapshotId): Promise<Snapshot>;
  /** Removes all but these, here and from the database. */
  prune(kept: readonly SnapshotId[]): Promise<void>;
}

/** A multiple of 3, so that base64 needs padding only at the end. */
const CHUNK_BYTES = 768 * 1024;
const FETCHING = /[.]fetching-[0-9a-f-]{36}$/;

/** @param directory of the data */
export function sharedSnapshots(db: Database, directory: string): SharedSnapshots {
  return db.sqlDialect.isShared ? byDatabase(db, directory) : ofOneHost(directory);
}

/** Whether the database contains a copy of a snapshot for other nodes. */
export async function isShared(db: Database, id: SnapshotId): Promise<boolean> {
  if (!db.sqlDialect.isShared) return false;
  return (
    (await prepare(db, 'select 1 from snapshot_chunks where snapshot_id = ? limit 1').get(id)) !== undefined
  );
}

const ofOneHost = (directory: string): SharedSnapshots => ({
  fetch: async () => false,
  share: async () => {},
  open: (id) => openKeptSnapshot(directory, id),
  prune: async (kept) => pruneSnapshots(directory, kept),
});

function byDatabase(db: Database, directory: string): SharedSnapshots {
  const positions = prepare<{ position: number }>(
    db,
    'select position from snapshot_chunks where snapshot_id = ? order by position',
  );
  const chunkAt = prepare<{ chunk: string }>(
    db,
    'select chunk from snapshot_chunks where snapshot_id = ? and position = ?',
  );
  const add = prepare(
    db,
    'insert into snapshot_chunks (snapshot_id, position, chunk) values (?, ?, ?) on conflict do nothing',
  );
  const known = prepare<{ id: SnapshotId }>(db, 'select distinct snapshot_id as id from snapshot_chunks');
  const state = readMirrorState(db);
  const remove = prepare(db, 'delete from snapshot_chunks where snapshot_id = ?');

  const fetch = async (id: SnapshotId): Promise<boolean> => {
    const path = snapshotPath(directory, id);
    if (existsSync(path)) return false;
    const count = (await positions.all(id)).length;
    if (count === 0) return false;
    const partial = `${path}.fetching-${randomUUID()}`;
    try {
      const file = await open(partial, 'wx', 0o600);
      try {
        for (let position = 0; position < count; position++) {
          const { chunk = '' } = (await chunkAt.get(id, position)) ?? {};
          await file.write(Buffer.from(chunk, 'base64'));
        }
      } finally {
        await file.close();
      }
      await checkBytes(partial, id);
      flush(partial);
      renameSync(partial, path);
      flush(directory);
      return true;
    } finally {
      rmSync(partial, { force: true });
    }
  };

  const share = async (id: SnapshotId): Promise<void> => {
    const path = snapshotPath(directory, id);
    const count = Math.ceil(statSync(path).size / CHUNK_BYTES);
    const there = new Set((await positions.all(id)).map(({ position }) => position));
    if (there.size === count) return;
    const file = await open(path, 'r');
    try {
      const piece = new Uint8Array(CHUNK_BYTES);
      for (let position = 0; position < count; position++) {
        if (there.has(position)) continue;
        const { bytesRead } = await file.read(piece, 0, CHUNK_BYTES, position * CHUNK_BYTES);
        await add.run(id, position, Buffer.from(piece.subarray(0, bytesRead)).toString('base64'));
      }
    } finally {
      await file.close();
    }
  };

  return {
    fetch,
    share,
    async open(id) {
      const isNew = await fetch(id);
      const snapshot = await openKeptSnapshot(directory, id);
      if (isNew) pruneSnapshots(directory, [id, ...(await state()).kept.map((one) => one.id)]);
      // A snapshot imported with another database, such as before a move to this one.
      await share(id).catch(() => {});
      return snapshot;
    },
    async prune(kept) {
      pruneSnapshots(directory, kept);
      for (const { id } of await known.all()) if (!kept.includes(id)) await remove.run(id);
    },
  };
}

/** Removes the unfinished files of killed processes. */
export function removeAbandonedFetches(directory: string): void {
  for (const name of readdirSync(directory))
    if (FETCHING.test(name)) rmSync(join(directory, name), { force: true });
}
