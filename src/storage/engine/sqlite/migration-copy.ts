import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { layFile } from '../../../lib/lay-file.ts';
import { freeBytesOf, lackOfRoom } from '../room.ts';

/** For the migration itself, in addition to the copy. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Copies an open database to a path. Replaces an earlier copy, which may be incomplete or of another state.
 *
 * @throws when it cannot be created or is damaged; then no file is left
 */
export function writeCopy(client: DatabaseSync, copy: string): void {
  layFile(copy, (partial) => {
    refuseWithoutRoom(client, dirname(copy));
    client.prepare('VACUUM INTO ?').run(partial);
    checkCopy(client, partial);
  });
}

/** The room that a migration needs in addition to an open database. */
export interface MigrationRoom {
  /** Bytes for the copy and for the migration itself. */
  readonly needed: number;
  /** Bytes that are free on the disk of a directory. */
  readonly free: number;
}

/** The room that the copy of an open database needs on the disk of a directory. */
export function migrationRoom(client: DatabaseSync, directory: string): MigrationRoom {
  return { needed: compactBytes(client) + SPARE_BYTES, free: freeBytesOf(directory) };
}

/** How large a copy of an open database is, in bytes. */
export const compactBytes = (client: DatabaseSync): number =>
  (ask(client, 'page_count') - ask(client, 'freelist_count')) * ask(client, 'page_size');

function refuseWithoutRoom(client: DatabaseSync, directory: string): void {
  const lack = lackOfRoom(directory, migrationRoom(client, directory).needed);
  if (lack !== undefined) throw new Error(lack);
}

/** Checks that a copy is sound and has the version of the original. An empty file is sound, but has no version. */
function checkCopy(client: DatabaseSync, path: string): void {
  const copy = new DatabaseSync(path, { readOnly: true });
  try {
    const sound = ask<string>(copy, 'quick_check(1)') === 'ok';
    if (!sound || ask(copy, 'user_version') !== ask(client, 'user_version')) {
      throw new Error(`the copy ${path} is damaged`);
    }
  } finally {
    copy.close();
  }
}

const ask = <Value = number>(client: DatabaseSync, pragma: string): Value =>
  Object.values(client.prepare(`PRAGMA ${pragma}`).get() ?? {})[0] as Value;
