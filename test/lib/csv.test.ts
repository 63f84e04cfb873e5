import { expect, test } from 'bun:test';
import fc from 'fast-check';
import '../support/properties.ts';
import { csvLine } from '../../src/lib/csv.ts';

/** The cells of one line, read as RFC 4180 says. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );

test('a line ends with CRLF, and a cell is quoted only where it has to be', () => {
  const line = csvLine(['a', 1, null, true, 'b,c', 'say "so"', 'two\nlines', '']);
  expect(line).toBe('a,1,,true,"b,c","say ""so""","two\nlines",\r\n');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\n=1', '＝1', '＋1', '－1', '＠x'])(
  '%j is no formula in a spreadsheet',
  (text) => {
    expect(cellsOf(csvLine([text, 'next']))).toEqual([`'${text}`, 'next']);
  },
);

test('whatever stands in texts, they are read back, and none of them begins as a formula does', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'a"\',;\n\r\t=+-@ü＝ ') }), { minLength: 2 });
  fc.assert(
    fc.property(texts, (cells) => {
      const read = cellsOf(csvLine(cells));
      expect(read).toEqual(cells.map((cell) => (/^[=+\-@\t\r\n＝]/.test(cell) ? `'${cell}` : cell)));
    }),
  );
});
