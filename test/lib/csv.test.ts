import { expect, test } from 'bun:test';
import fc from 'fast-check';
import '../support/properties.ts';
import { csvLine } from '../../src/lib/csv.ts';
import { formulasIn, spreadsheetRows } from '../support/spreadsheet.ts';

test('a line ends with CRLF, every text is quoted, and nothing else is', () => {
  const line = csvLine(['a', 1, null, true, 'b,c', 'say "so"', 'two\nlines', '']);
  expect(line).toBe('"a",1,,true,"b,c","say ""so""","two\nlines",""\r\n');
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\rx', "'\rx"],
  ['\0=1', "'\0'=1"],
  ['  =1', "  '=1"],
  ['\ufeff\u200b=1', "\ufeff\u200b'=1"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['a;=1+cmd', "a;'=1+cmd"],
  ['a; \u00a0=1', "a; \u00a0'=1"],
  ['x\n=1+1', "x\n'=1+1"],
  ['x\r\n+1', "x\r\n'+1"],
  ['x\r@A1', "x\r'@A1"],
  ['x\u2028-1', "x\u2028'-1"],
  ['a\t=1', "a\t'=1"],
  ['a|-1', "a|'-1"],
  ['a,@x', "a,'@x"],
  ['a;"=1', `a;"'=1`],
  ['a;\tx', "a;'\tx"],
  ['a;;;＝1;b;-2', "a;;;'＝1;b;'-2"],
])('%j is not a formula in a spreadsheet: %j', (text, written) => {
  const line = csvLine([text, 'next']);
  expect(spreadsheetRows(line, ',')).toEqual([[written, 'next']]);
  expect(formulasIn(line)).toEqual([]);
});

test.each([
  'a - b',
  'x=1',
  'a@example.com',
  'lic_1..lic_9',
  '2026-11-28T09:30:00.000Z',
  'a; b',
  'two\nlines',
])('%j is unchanged', (text) => expect(spreadsheetRows(csvLine([text]), ',')).toEqual([[text]]));

test('no separator makes a formula of any text, and a comma returns every cell', () => {
  const pieces = ['a', '"', "'", ',', ';', '|', '\n', '\r', '\t', '\0', '=', '+', '-', '@', 'ü', '＝', ' '];
  const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 12 });
  const cell = fc.oneof({ weight: 4, arbitrary: text }, fc.nat(), fc.constant(null), fc.boolean());
  const bare = (read: unknown) => String(read ?? '').replaceAll("'", '');
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
      (rows) => {
        const file = rows.map(csvLine).join('');
        expect(formulasIn(file)).toEqual([]);
        const read = spreadsheetRows(file, ',');
        expect(read.map((row) => row.map(bare))).toEqual(rows.map((row) => row.map(bare)));
      },
    ),
    { numRuns: 2_000 },
  );
});
