import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readLicenseRows } from '../../../src/domain/license/license-rows.ts';
import {
  readLicenseTable,
  TABLE_ROWS_MAX,
  type TableFormat,
} from '../../../src/domain/license/license-table.ts';

const read = (text: string, format: TableFormat = 'csv') => readLicenseTable(Buffer.from(text), format);
const refusals = (text: string, format: TableFormat = 'csv') =>
  read(text, format).refusals.map(({ line, refused }) => `${line}: ${refused}`);

test('any cells are read from CSV unchanged, with the first line of their rows', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 30 });
  const newline = fc.constantFrom('\n', '\r\n');
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell)), newline, fc.boolean(), (written, end, marked) => {
      let line = 2;
      const rows = written.map(([note, customer]) => {
        const begins = line;
        const text = [note, customer].map((each) => `"${each.replaceAll('"', '""')}"`).join(',');
        line += 1 + text.split(/\r\n|[\r\n]/).length - 1;
        const cells = Object.fromEntries(
          Object.entries({ note: note.trim(), customer: customer.trim() }).filter(([, each]) => each !== ''),
        );
        return { text, read: { line: begins, cells, domains: [] } };
      });
      const text = ['note,customer', ...rows.map((row) => row.text)].join(end);
      expect(read((marked ? '\ufeff' : '') + text)).toEqual({
        rows: rows.map((row) => row.read).filter(({ cells }) => Object.keys(cells).length > 0),
        refusals: [],
      });
    }),
  );
});

test('a row reads the same in CSV and NDJSON, and blank lines are skipped', () => {
  const cells = { plan: 'pro', note: 'é' };
  const domains = ['a.com', 'b.com'];
  expect(read('Plan,domains, NOTE,email\r\n\r\n,,,\r\npro, a.com  b.com ,é,\r\n').rows).toEqual([
    { line: 4, cells, domains },
  ]);
  const line = JSON.stringify({ ...cells, domains, email: null, customer: ' ', expires: '' });
  expect(read(`\ufeff\n${line}\r\n`, 'ndjson').rows).toEqual([{ line: 2, cells, domains }]);
});

test('malformed input is refused with its line, and none of it is repeated', () => {
  const known = 'The columns are key, plan, domains, expires, note, customer, email, external_id';
  expect(refusals('')).toEqual([`1: column 1 is unknown or repeated. ${known}`]);
  expect(refusals('plan,plan')).toEqual([`1: column 2 is unknown or repeated. ${known}`]);
  expect(refusals('key,plan\nSECRET\nx,y,SECRET')).toEqual([
    '2: has 1 cell, but line 1 has 2',
    '3: has 3 cells, but line 1 has 2',
  ]);
  expect(refusals('key\n\n"a"SECRET')).toEqual(['3: is not valid CSV. Check its quotes']);
  expect(refusals(`key\n${'x'.repeat(17_000)}`)).toEqual(['2: is longer than 16384 bytes']);
  const notStrict = 'repeats a name, contains a lone surrogate, or is nested too deeply';
  const lines = ['{"key":"SECRET"', '{"plan":"a","plan":"b"}', '{"domains":[["a.com"]]}', '[]', 'null', '7'];
  expect(refusals(lines.join('\n'), 'ndjson')).toEqual([
    '1: is not valid JSON',
    `2: ${notStrict}`,
    `3: ${notStrict}`,
    '4: is not a JSON object',
    '5: is not a JSON object',
    '6: is not a JSON object',
  ]);
  for (const header of ['key;plan', 'key\tplan'])
    expect(refusals(`${header}\na,b`)).toEqual([
      '1: columns must be separated by commas. Save the file as CSV with commas',
    ]);
  expect(refusals('{"SECRET":"a"}\n{"domains":"a.com"}\n{"note":7}', 'ndjson')).toEqual([
    `1: has an unknown field. ${known}`,
    '2: domains: is not a list of strings',
    '3: note: is not a string',
  ]);
  expect(refusals(`{"note":"${'x'.repeat(17_000)}"}`, 'ndjson')).toEqual(['1: is longer than 16384 bytes']);
  const latin1 = Buffer.from('plan,note\npro,\nfree,\xe9\n', 'latin1');
  expect(readLicenseTable(latin1, 'csv').refusals).toEqual([{ line: 3, refused: 'is not valid UTF-8' }]);
});

test('a line is limited in bytes, separators and any line end included', () => {
  const tooLong = (line: number) => [`${line}: is longer than 16384 bytes`];
  expect(refusals(`note\n${','.repeat(16_385)}`)).toEqual(tooLong(2));
  expect(refusals(`note\r\na\r\n${','.repeat(16_385)}\r\n`)).toEqual(tooLong(3));
  expect(refusals(`note\ra\r${'"",'.repeat(6_000)}`)).toEqual(tooLong(3));
  expect(refusals(`\n\n${' '.repeat(16_385)}`, 'ndjson')).toEqual(tooLong(3));
  const line = 'x'.repeat(100);
  expect(read(`note\r${`${line}\r`.repeat(1_000)}`).rows).toHaveLength(1_000);
});

test('a row has at most 1,000 domains, and a file 200,000', () => {
  const row = (domains: number) => `x,${'a.io '.repeat(domains)}\n`;
  expect(refusals(`note,domains\n${row(1_000)}${row(1_001)}`)).toEqual(['3: domains: has more than 1000']);
  expect(read(`note,domains\n${row(1_000).repeat(200)}`).rows).toHaveLength(200);
  expect(refusals(`note,domains\n${row(1_000).repeat(200)}${row(1)}`)).toEqual([
    '202: a file can have at most 200000 domains. Import it in parts',
  ]);
});

test('the first 1,000 refused lines are listed, and no more is read', () => {
  for (const [text, format] of [
    [`note\n${'a,b\n'.repeat(5_000)}`, 'csv'],
    ['{"x":1}\n'.repeat(5_000), 'ndjson'],
  ] as const)
    expect(refusals(text, format)).toHaveLength(1_000);
  const terms = { siteOf: () => undefined, developmentHosts: false };
  const table = read(`note,domains\n${'x,a b\n'.repeat(5_000)}`);
  expect(readLicenseRows(table, terms).refusals.length).toBeWithin(1_000, 1_010);
});

test('a file of too many licenses is refused', () => {
  const rows = (count: number) => 'free\n'.repeat(count);
  expect(read(`plan\n${rows(TABLE_ROWS_MAX)}`).rows).toHaveLength(TABLE_ROWS_MAX);
  const tooMany = [
    `${TABLE_ROWS_MAX + 2}: a file can have at most ${TABLE_ROWS_MAX} licenses. Import it in parts`,
  ];
  expect(refusals(`plan\n${rows(TABLE_ROWS_MAX + 5)}`)).toEqual(tooMany);
});
