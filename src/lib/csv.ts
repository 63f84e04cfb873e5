export type CsvCell = string | number | boolean | null;

/** What makes a spreadsheet take a cell for a formula (OWASP, CSV Injection); full-width signs are taken for the others. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const QUOTED = /[",\r\n]/;

/**
 * One line of CSV (RFC 4180) with its CRLF. A text that a spreadsheet would take for a formula stands behind an apostrophe; null is
 * an empty cell.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(written).join(',')}\r\n`;

function written(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
