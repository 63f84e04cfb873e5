import { copyFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { databasePath, installationKeyPath } from '../../src/storage/engine/data-directory.ts';
import { prepareDatabase } from '../../src/storage/engine/sqlite/database.ts';
import { makeSecret, rememberSecret } from '../../src/storage/installation/installation-key.ts';
import { temporaryDirectory } from './temporary.ts';

const ROWS = 3;
const EDGES = ['9007199254740991', '-9007199254740991', '0', '9007199254740993', '-9223372036854775808'];
const HOSTILE = ['"\\,{}', "'; drop table licenses; --\n\r\t", '\\u0000 NULL \ufffd 𝒳 é e\u0301', '', 'null'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
}

/** A data directory with an empty database, its key, and no lock of this process. */
export function emptyInstallation(): string {
  const directory = temporaryDirectory();
  const path = databasePath(directory);
  prepareDatabase(path);
  rememberSecret(path, makeSecret(installationKeyPath(directory)));
  return directory;
}

/**
 * Fills every table of a database with rows that are hard to copy; rows of the same number refer to one
 * another.
 *
 * @param texts the values of columns that do not accept any text, such as `licenses.holds`
 */
export function fillEveryTable(path: string, texts: Readonly<Record<string, string>> = {}): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  const tables = db
    .prepare(
      "select name, instr(sql, 'CHECK') as one from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    )
    .all()
    .map(({ name, one }) => ({ table: String(name), rows: one === 0 ? ROWS : 1 }));
  let turn = 0;
  for (const { table, rows } of tables) {
    if (table === 'installation' || table === 'generations') continue;
    const columns = db.prepare(`pragma table_info(${table})`).all() as unknown as Column[];
    const references = new Set(
      db
        .prepare(`pragma foreign_key_list(${table})`)
        .all()
        .map(({ from }) => from),
    );
    for (let row = 1; row <= rows; row++) {
      const values = columns.map(({ name, type, notnull, pk }) => {
        const isLink = pk > 0 || references.has(name);
        const text = texts[`${table}.${name}`];
        if (text !== undefined) return text;
        if (isLink) return type === 'INTEGER' ? row : `${HOSTILE[row]}${row}`;
        turn += 1;
        if (notnull === 0 && turn % 4 === 0) return null;
        const edge = EDGES[turn % EDGES.length] as string;
        // Unique columns get different values.
        return type === 'INTEGER' ? edge : `${HOSTILE[turn % HOSTILE.length]}${turn}`;
      });
      db.prepare(`insert into ${table} values (${columns.map(() => '?')})`).run(...values);
    }
  }
  for (const { name } of db.prepare("select name from pragma_table_info('generations') where pk = 0").all())
    db.exec(`update generations set ${name} = 9007199254740991`);
  db.close();
}

/** A row as text, numbers in decimal, with any order of its columns. */
export const rowText = (row: object): string =>
  JSON.stringify(Object.entries(row).sort(), (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );

/** Every row of every table of an SQLite database as text, sorted. */
export function everyRow(path: string): Record<string, string[]> {
  const db = new DatabaseSync(path, { readOnly: true });
  const found: Record<string, string[]> = {};
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all();
  for (const { name } of tables) {
    const rows = db.prepare(`select * from "${name}"`);
    rows.setReadBigInts(true);
    found[String(name)] = rows.all().map(rowText).sort();
  }
  db.close();
  return found;
}

/** A new data directory with the key of another one. */
export function keyedDirectory(other: string): string {
  const directory = temporaryDirectory();
  copyFileSync(installationKeyPath(other), installationKeyPath(directory));
  return directory;
}
