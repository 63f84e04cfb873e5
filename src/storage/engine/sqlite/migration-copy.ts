import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { layFile } from '../../../lib/lay-file.ts';
import { freeBytesOf, lackOfRoom } from '../room.ts';

/** Besides the copy, for the migration itself. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Lays a copy of an open database at a path, in place of an earlier one: nobody can tell whether that one is whole, or of
 * which state.
 *
 * @throws when it cannot be made or is not sound; then nothing of it is left
 */
export function layCopy(client: DatabaseSync, copy: string): void {
  layFile(copy, (partial) => {
    refuseWithoutRoom(client, dirname(copy));
    client.prepare('VACUUM INTO ?').run(partial);
    checkCopy(client, partial);
  });
}

/** The room that a migration takes beside an open database. */
export interface MigrationRoom {
  /** Bytes for the copy and for the migration itself. */
  readonly needed: number;
  /** Bytes that are free on the disk of a directory. */
  readonly free: number;
}

/** What the copy of an open database would take of the disk of a directory. */
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

/** Whether a copy is sound and of the version of what was copied. An empty file is sound, but of no version. */
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
