/** A statement as PostgreSQL takes it. */
export interface Translated {
  readonly text: string;
  /** What each placeholder was called, in their order; undefined where they were question marks. */
  readonly names: readonly string[] | undefined;
}

/** What is left as it is, a cast, and what is not: placeholders by name or place, and names that would be folded to lower case. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|::|:([A-Za-z]\w*)|\?|\b[a-z]\w*[A-Z]\w*\b/g;

/**
 * Translates a statement that is written for SQLite, but in words that both engines know: numbers its placeholders, and quotes
 * names such as `licenseId`, which a row is to have as they are written.
 */
export function translate(sql: string): Translated {
  const names: string[] = [];
  let marks = 0;
  const text = sql.replace(TOKEN, (token, name: string | undefined) => {
    if (token === '?') return `$${++marks}`;
    if (name !== undefined) {
      if (!names.includes(name)) names.push(name);
      return `$${names.indexOf(name) + 1}`;
    }
    return /^['":]/.test(token) ? token : `"${token}"`;
  });
  return { text, names: names.length > 0 ? names : undefined };
}

/**
 * What Drizzle writes for SQLite alone: null for a row's number, which is the first of its columns, where the database is to choose
 * it, and the names of tables before those of the columns in which rows are alike.
 */
export function fromDrizzle(sql: string): string {
  if (!sql.startsWith('insert into')) return sql;
  return sql
    .replaceAll('(null, ', '(default, ')
    .replace(
      /on conflict \(([^)]*)\)/,
      (_, columns: string) => `on conflict (${columns.replaceAll(/"\w+"[.]/g, '')})`,
    );
}
