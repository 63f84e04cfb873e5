import { databasePath } from '../../src/storage/engine/data-directory.ts';
import type { Database } from '../../src/storage/engine/database.ts';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { execute } from '../../src/storage/engine/statement.ts';
import { temporaryDirectory } from './temporary.ts';

/** The path of a new, empty database of this version. */
export function newDatabase(): string {
  const path = databasePath(temporaryDirectory());
  prepareDatabase(path);
  return path;
}

/** Adds a license without an end, whose id is the next one, to a database of any version. */
export async function addLicense(db: Database, id: number): Promise<void> {
  await execute(
    db,
    `insert into licenses (key_hash, key_prefix, key_last4, kind, environment, plan, modules_allowed, modules_denied, holds,
      created_at) values ('h${id}', 'p', 'l', 'paid', 'live', 'pro', '[]', '[]', '[]', 0)`,
  );
}

/** Adds licenses 1 and 2, each with one site of the same number, to an empty database of any version. */
export async function addTwoTenants(db: Database): Promise<void> {
  for (const id of [1, 2]) {
    await addLicense(db, id);
    await execute(
      db,
      `insert into sites (license_id, domain, first_seen_at, last_seen_at) values (${id}, 'shop.test', 0, 0)`,
    );
  }
}
