/** Cell separators of spreadsheets: `;` where the comma is a decimal point, a tab by choice. */
export const SPREADSHEET_SEPARATORS = [',', ';', '\t', '|'] as const;

/** A formula in a spreadsheet, after characters that it may drop: white space, invisible characters, stray quotes. */
const FORMULA = /^[\s\p{Cc}\u200b-\u200f\ufeff"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
/**
 * A cell that begins with one can become a formula when the character is dropped. A whole line break may end
 * a row.
 */
const CONTROL = /^(?:[\t\0]|\r(?!\n))/;

/**
 * Reads text as spreadsheets do: a cell that begins with a quote ends at its closing quote, with anything
 * between them, and includes the text after it up to the separator.
 */
export function spreadsheetRows(text: string, separator: string): string[][] {
  const rows: string[][] = [[]];
  let [cell, at] = ['', 0];
  const endCell = () => {
    rows.at(-1)?.push(cell);
    cell = '';
  };
  while (at < text.length) {
    if (cell === '' && text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] !== '"') cell += text[at];
        else if (text[at + 1] === '"') cell += text[++at];
        else break;
      }
      at += 1;
    }
    const rest = /^[^\n\r]?/.exec(text.slice(at, at + 1))?.[0] ?? '';
    if (at >= text.length) break;
    if (text[at] === separator) endCell();
    else if (rest === '') {
      endCell();
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
      rows.push([]);
    } else cell += rest;
    at += 1;
  }
  if (cell !== '' || rows.at(-1)?.length !== 0) endCell();
  else rows.pop();
  return rows;
}

/** The cells of a file that a spreadsheet would evaluate, read with every separator, with quotes and without. */
export const formulasIn = (text: string): string[] =>
  SPREADSHEET_SEPARATORS.flatMap((separator) => [
    ...spreadsheetRows(text, separator).flat(),
    ...text.split(new RegExp(`[\\r\\n${separator === '|' ? '\\|' : separator}]`)),
  ]).filter((cell) => FORMULA.test(cell) || CONTROL.test(cell));
