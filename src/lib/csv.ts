import { INVISIBLE } from './trim-invisible.ts';

export type CsvCell = string | number | boolean | null;

/** Characters that some readers treat as the end of a cell or row. The list separator of spreadsheets depends on the country. */
const SEPARATORS = ',;|\\t\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029';
/** Characters that some readers ignore at the start of a cell: quotes, white space, control and invisible characters. */
const DROPPED = `"\\0-\\x1f\\x7f-\\xa0${INVISIBLE}`;
/** Characters that start a formula (OWASP, CSV Injection), including their full-width and small forms. */
const SIGNS = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';

const HARMLESS = new RegExp(`^[^${SEPARATORS}${DROPPED}${SIGNS}][^${SIGNS}\\t\\r\\0]*$`);
/** Matches each run of separators once, for linear time. */
const FORMULA = new RegExp(`(^[${SEPARATORS}${DROPPED}]*|[${SEPARATORS}${DROPPED}]+)([${SIGNS}]?)`, 'g');
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** A tab, CR or NUL at the start of a possible cell; only the first of several, and not a line break. */
const CONTROL = /(?:(?<!\t)\t|(?<!\r)\r(?!\n)|\0)(?<=(?:^|[,;|\t\r\n])"*[\t\r\0])/g;

/**
 * Returns a CSV line (RFC 4180) with CRLF. All texts are quoted. An apostrophe is inserted wherever a reader could start a cell
 * and treat the text as a formula, with any separator. Null is an empty cell.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

const cellText = (cell: CsvCell): string =>
  typeof cell === 'string' ? `"${withoutFormulas(cell).replaceAll('"', '""')}"` : String(cell ?? '');

const withoutFormulas = (text: string): string =>
  HARMLESS.test(text)
    ? text
    : text
        .replace(FORMULA, (run, before: string, sign: string, at: number) =>
          sign !== '' && (at === 0 || SEPARATOR.test(before)) ? `${before}'${sign}` : run,
        )
        .replace(CONTROL, "'$&");
