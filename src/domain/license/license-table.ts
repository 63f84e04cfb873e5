import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse/sync';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { trimInvisible } from '../../lib/trim-invisible.ts';

export const TABLE_FORMATS = ['csv', 'ndjson'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

const COLUMNS = ['key', 'plan', 'domains', 'expires', 'note', 'customer', 'email', 'external_id'] as const;
export type Column = (typeof COLUMNS)[number];

/** A license in a row of a file; empty cells are omitted. */
export interface TableRow {
  /** The first line of the row, counted from 1. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
  readonly domains: readonly string[];
}

/** Why a line is refused. It repeats no content of the line, which may contain a key. */
export interface LineRefusal {
  readonly line: number;
  readonly refused: string;
}

export interface LicenseTable {
  readonly rows: readonly TableRow[];
  readonly refusals: readonly LineRefusal[];
}

export const TABLE_BYTES_MAX = 32 * 1_024 * 1_024;
export const TABLE_ROWS_MAX = 100_000;
/** A file with more refusals is wrong as a whole: reading stops. */
export const REFUSALS_MAX = 1_000;
const LINE_BYTES_MAX = 16 * 1_024;
const DOMAINS_MAX = 200_000;
const DOMAINS_OF_ROW_MAX = 1_000;
const TOO_LONG = `is longer than ${LINE_BYTES_MAX} bytes`;
const TOO_MANY = `a file can have at most ${TABLE_ROWS_MAX} licenses. Import it in parts`;
const TOO_MANY_DOMAINS = `a file can have at most ${DOMAINS_MAX} domains. Import it in parts`;
const TOO_MANY_OF_ROW = `domains: has more than ${DOMAINS_OF_ROW_MAX}`;
const KNOWN = `The columns are ${COLUMNS.join(', ')}`;
const SEPARATED = 'columns must be separated by commas. Save the file as CSV with commas';
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** An object, and the list of domains in it. */
const DEPTH_MAX = 2;
const NOT_STRICT = 'repeats a name, contains a lone surrogate, or is nested too deeply';

/** Reads a file of licenses: CSV whose first line names the columns, or a JSON object in each line. */
export function readLicenseTable(bytes: Uint8Array, format: TableFormat): LicenseTable {
  const malformed = malformedLine(bytes);
  if (malformed !== undefined) return refusedAt(malformed, 'is not valid UTF-8');
  const long = longLine(bytes, format);
  if (long !== undefined) return refusedAt(long, TOO_LONG);
  // It also takes a byte order mark away.
  const text = new TextDecoder().decode(bytes);
  return format === 'csv' ? readCsv(text) : tableOf(rowsOfNdjson(text));
}

/** The parsers do not count separators, and a line may consist of them. */
function longLine(bytes: Uint8Array, format: TableFormat): number | undefined {
  let [line, from] = [1, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === NEWLINE || (byte === RETURN && format === 'csv')) {
      if (byte === RETURN || bytes[at - 1] !== RETURN || format !== 'csv') line += 1;
      from = at + 1;
    } else if (at - from >= LINE_BYTES_MAX) return line;
  }
  return undefined;
}

/** Takes rows until the file is refused as a whole, or enough of it is. */
function tableOf(lines: Iterable<TableRow | LineRefusal>): LicenseTable {
  const rows: TableRow[] = [];
  const refusals: LineRefusal[] = [];
  let domains = 0;
  for (const each of lines) {
    const { line } = each;
    if ('refused' in each) refusals.push(each);
    else if (each.domains.length > DOMAINS_OF_ROW_MAX) refusals.push({ line, refused: TOO_MANY_OF_ROW });
    else {
      rows.push(each);
      domains += each.domains.length;
    }
    if (refusals.length === REFUSALS_MAX) break;
    if (rows.length > TABLE_ROWS_MAX) return refusedAt(line, TOO_MANY);
    if (domains > DOMAINS_MAX) return refusedAt(line, TOO_MANY_DOMAINS);
  }
  return { rows, refusals };
}

const refusedAt = (line: number, refused: string): LicenseTable => ({
  rows: [],
  refusals: [{ line, refused }],
});

function malformedLine(bytes: Uint8Array): number | undefined {
  if (isUtf8(bytes)) return undefined;
  let [line, from] = [1, 0];
  for (let end = bytes.indexOf(NEWLINE); end !== -1 && isUtf8(bytes.subarray(from, end)); line += 1) {
    from = end + 1;
    end = bytes.indexOf(NEWLINE, from);
  }
  return line;
}

function readCsv(text: string): LicenseTable {
  const records = recordsOf(text);
  if ('refusals' in records) return records;
  const [header, ...others] = records;
  const names = header?.cells.map((name) => trimInvisible(name).toLowerCase()) ?? [''];
  if (names.length === 1 && /[;\t]/.test(header?.cells[0] ?? '')) return refusedAt(1, SEPARATED);
  const unknown = names.findIndex((name, at) => !isColumn(name) || names.indexOf(name) !== at);
  if (unknown !== -1) return refusedAt(1, `column ${unknown + 1} is unknown or repeated. ${KNOWN}`);
  if (others.length > TABLE_ROWS_MAX) return refusedAt(others.at(-1)?.line ?? 1, TOO_MANY);

  return tableOf(rowsOfCsv(names, others));
}

function* rowsOfCsv(
  names: readonly string[],
  records: readonly CsvRecord[],
): Generator<TableRow | LineRefusal> {
  for (const { line, cells } of records) {
    // Spreadsheets end in such lines.
    if (cells.every((cell) => trimInvisible(cell) === '')) continue;
    if (cells.length !== names.length) {
      const has = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
      yield { line, refused: `has ${has}, but line 1 has ${names.length}` };
      continue;
    }
    const told = names.map((name, at) => [name, trimInvisible(cells[at] ?? '')] as const);
    const { domains = '', ...texts } = Object.fromEntries(told.filter(([, cell]) => cell !== ''));
    yield { line, cells: texts, domains: domains.split(/\s+/).filter((domain) => domain !== '') };
  }
}

const isColumn = (name: string): name is Column => (COLUMNS as readonly string[]).includes(name);

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Records with the lines in which they begin; of too many, one more than may be. */
function recordsOf(text: string): LicenseTable | readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  let next = 1;
  try {
    parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      max_record_size: LINE_BYTES_MAX,
      to: TABLE_ROWS_MAX + 2,
      on_record: (cells: string[], { lines }) => {
        records.push({ line: next, cells });
        next = lines + 1;
        return null;
      },
    });
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const why = error.code === 'CSV_MAX_RECORD_SIZE' ? TOO_LONG : 'is not valid CSV. Check its quotes';
    return refusedAt(Number(error.lines), why);
  }
}

function* rowsOfNdjson(text: string): Generator<TableRow | LineRefusal> {
  let line = 0;
  for (const each of linesIn(text)) {
    line += 1;
    if (each.trim() !== '') yield rowOf(each, line);
  }
}

function* linesIn(text: string): Generator<string> {
  let from = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
    yield text.slice(from, end);
    from = end + 1;
  }
  yield text.slice(from);
}

function rowOf(text: string, line: number): TableRow | LineRefusal {
  const value = parseStrictJson(text, DEPTH_MAX);
  if (value === undefined) return { line, refused: isJson(text) ? NOT_STRICT : 'is not valid JSON' };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line, refused: 'is not a JSON object' };
  const { domains, ...texts } = value as Record<string, unknown>;
  if (!Object.keys(texts).every(isColumn)) return { line, refused: `has an unknown field. ${KNOWN}` };
  if (!isTextList(domains ?? [])) return { line, refused: 'domains: is not a list of strings' };
  const told = Object.entries(texts).filter(([, cell]) => cell !== null);
  const wrong = told.find(([, cell]) => typeof cell !== 'string');
  if (wrong !== undefined) return { line, refused: `${wrong[0]}: is not a string` };
  const cells = told
    .map(([name, cell]) => [name, trimInvisible(String(cell))])
    .filter(([, cell]) => cell !== '');
  return { line, cells: Object.fromEntries(cells), domains: (domains ?? []) as string[] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
