import { DatabaseSync } from 'node:sqlite';
import { SECOND_MS } from '../../lib/clock.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { wordsFor } from '../engine/trouble.ts';
import { BackupRefused } from './backup-refused.ts';

export interface DatabaseContents {
  /** Its number of migrations. */
  readonly version: number;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Checks a copy of a database, which may be any file, and counts its rows. Runs nothing that the file may define: it may
 * contain only tables, indexes and triggers with our names, and the triggers, which a restore runs, only with our text.
 *
 * @throws BackupRefused when it is damaged, or not a database created by this or an older version
 */
export function lookThrough(path: string): DatabaseContents {
  try {
    const client = new DatabaseSync(path, { readOnly: true });
    try {
      client.exec(`PRAGMA trusted_schema = OFF; PRAGMA busy_timeout = ${5 * SECOND_MS}`);
      return contentsOf(client);
    } finally {
      client.close();
    }
  } catch (error) {
    if (error instanceof BackupRefused) throw error;
    throw new BackupRefused(`cannot read its database: ${wordsFor(error)}`);
  }
}

function contentsOf(client: DatabaseSync): DatabaseContents {
  const [check] = Object.values(client.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (check !== 'ok') throw new BackupRefused('its database is damaged. Use another backup');
  const version = Number(Object.values(client.prepare('PRAGMA user_version').get() ?? {})[0]);
  if (version < 1 || version > MIGRATIONS.length || objectsOf(client) !== objectsOfVersion(version))
    throw new BackupRefused('its database was not created by redoubt. Use another backup');
  const counts = tablesOf(client).map((table) => {
    const { rows } = client.prepare(`select count(*) as rows from "${table}"`).get() as { rows: number };
    return [table, rows] as const;
  });
  return { version, counts: Object.fromEntries(counts) };
}

/** SQLite's own objects are in some databases only, and its text of an altered table varies. */
const OBJECTS = `
  select type || ' ' || name || ' ' || tbl_name || iif(type = 'trigger', ' ' || sql, '') as object
    from sqlite_master where name not like 'sqlite_%' order by 1
`;

const objectsOf = (client: DatabaseSync): string =>
  (client.prepare(OBJECTS).all() as { object: string }[]).map(({ object }) => object).join('\n');

function objectsOfVersion(version: number): string {
  const model = new DatabaseSync(':memory:');
  try {
    for (const migration of MIGRATIONS.slice(0, version)) model.exec(migration);
    return objectsOf(model);
  } finally {
    model.close();
  }
}

const tablesOf = (client: DatabaseSync): string[] =>
  (
    client
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by 1")
      .all() as { name: string }[]
  ).map(({ name }) => name);
