import { DatabaseSync } from 'node:sqlite';
import { SECOND_MS } from '../../lib/clock.ts';
import { MIGRATIONS } from '../engine/migrations.ts';
import { wordsFor } from '../engine/trouble.ts';
import { BackupRefused } from './backup-refused.ts';

/** What a database holds. */
export interface DatabaseContents {
  /** How many migrations it has. */
  readonly version: number;
  /** Rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Looks through a copy of a database, which may be anything, and counts what is in it. Nothing that it might define is run: only tables,
 * indexes and triggers by our names may be there, and the triggers, which a restore runs, as we wrote them.
 *
 * @throws BackupRefused when it is damaged, or no database that a redoubt up to this one has made
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

/** What SQLite itself adds is in some databases and not in others, and how it words a table that was altered is its own affair. */
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
