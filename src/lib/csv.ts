import { INVISIBLE } from './trim-invisible.ts';

export type CsvCell = string | number | boolean | null;

/** What a reader may take for the end of a cell or of a row: spreadsheets separate by the list separator of their country. */
const SEPARATORS = ',;|\\t\\n\\v\\f\\r\\x1c-\\x1e\\x85\\u2028\\u2029';
/** What a reader may drop from the start of a cell: quotes, white space, control and invisible characters. */
const DROPPED = `"\\0-\\x1f\\x7f-\\xa0${INVISIBLE}`;
/** What begins a formula (OWASP, CSV Injection), with the full-width and small forms that are taken for it. */
const SIGNS = '=+\\-@\\uff1d\\uff0b\\uff0d\\uff20\\ufe66\\ufe62\\ufe63\\ufe6b';

const HARMLESS = new RegExp(`^[^${SEPARATORS}${DROPPED}${SIGNS}][^${SIGNS}\\t\\r\\0]*$`);
/** Matches at every run, so that no run is read twice. */
const FORMULA = new RegExp(`(^[${SEPARATORS}${DROPPED}]*|[${SEPARATORS}${DROPPED}]+)([${SIGNS}]?)`, 'g');
const SEPARATOR = new RegExp(`[${SEPARATORS}]`);
/** A tab, CR or NUL with which a cell may start; not the next one of several, and not a whole line break. */
const CONTROL = /(?:(?<!\t)\t|(?<!\r)\r(?!\n)|\0)(?<=(?:^|[,;|\t\r\n])"*[\t\r\0])/g;

/**
 * Returns one line of CSV (RFC 4180) with its CRLF. Every text is quoted. Where a reader could start a cell within a text, by any
 * separator, an apostrophe keeps it from being a formula. Null is an empty cell.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(written).join(',')}\r\n`;

const written = (cell: CsvCell): string =>
  typeof cell === 'string' ? `"${withoutFormulas(cell).replaceAll('"', '""')}"` : String(cell ?? '');

const withoutFormulas = (text: string): string =>
  HARMLESS.test(text)
    ? text
    : text
        .replace(FORMULA, (run, before: string, sign: string, at: number) =>
          sign !== '' && (at === 0 || SEPARATOR.test(before)) ? `${before}'${sign}` : run,
        )
        .replace(CONTROL, "'$&");
