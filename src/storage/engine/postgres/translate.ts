/** A statement as PostgreSQL takes it. */
export interface Translated {
  readonly text: string;
  /** The name of each placeholder, in order; undefined for question marks. */
  readonly names: readonly string[] | undefined;
}

/**
 * Unchanged parts, casts, and parts to translate: placeholders by name or place, and names that would be folded to lower case.
 */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|::|:([A-Za-z]\w*)|\?|\b[a-z]\w*[A-Z]\w*\b/g;

/**
 * Translates a statement that both engines know, written for SQLite: numbers its placeholders, and quotes names such as
 * `licenseId`, which rows must have unchanged.
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
 * Translates what Drizzle writes for SQLite alone: null for a generated id, which is the first column, and table names before
 * the columns of a conflict.
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
