import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ColumnChart, roundStep } from '../../src/pages/column-chart.tsx';
import { volume } from '../../src/pages/html.tsx';
import { Table } from '../../src/pages/table.tsx';

test('an axis ends at four round steps, and the highest column takes more than half of it', () => {
  expect([1, 4, 5, 30, 160, 641, 10_000].map(roundStep)).toEqual([1, 1, 2, 10, 40, 200, 4000]);
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 1e12 }), (most) => {
      const step = roundStep(most);
      expect(4 * step).toBeGreaterThanOrEqual(most);
      expect(most / (4 * step)).toBeGreaterThanOrEqual(0.4);
    }),
  );
});

const chart = (counts: readonly (readonly number[])[]) =>
  String(
    ColumnChart({
      title: 'Checks',
      first: 'Hour',
      series: [
        { name: 'valid', tone: 'accent' },
        { name: 'refused', tone: 'critical' },
      ],
      columns: counts.map((each, index) => ({ label: `${index}:00`, counts: each })),
    }),
  );

test('a chart has a title for each column, a legend with totals and the numbers as a table', () => {
  const html = chart([
    [1_200, 3],
    [40, 0],
  ]);
  expect(html).toContain('<title>0:00: 1,200 valid, 3 refused</title>');
  expect(html).toContain('valid 1,240');
  expect(html).toContain('<th scope="row">1:00</th><td class="num">40</td><td class="num">0</td>');
});

test('a single event does not fill the height, and an empty chart has an axis', () => {
  const heights = [...chart([[1, 0]]).matchAll(/height="([\d.]+)"/g)].map(([, height]) => Number(height));
  expect(Math.max(...heights)).toBeLessThan(50);
  expect(chart([])).toContain('>4</span>');
});

test('volumes have three digits and a unit', () => {
  expect([1, 1_024, 5 * 2 ** 20, 4 * 2 ** 30, 1.25 * 2 ** 30, 1_234.5 * 2 ** 30].map(volume)).toEqual([
    '1 KiB',
    '1 KiB',
    '5 MiB',
    '4 GiB',
    '1.25 GiB',
    '1,230 GiB',
  ]);
});

test('a column of numbers is aligned to the right, one of versions is not', () => {
  const html = String(
    Table({
      label: 'Sites',
      columns: ['Site', 'Events', 'Version', 'Size'],
      rows: [
        ['a.example', '1,200', '1.0.0', '3 KiB'],
        ['b.example', 7, '2.1', '1.25 GiB'],
      ],
    }),
  );
  expect(html).toContain(
    '<th scope="col">Site</th><th scope="col" class="num">Events</th><th scope="col">Version</th>',
  );
  expect(html).toContain('<td class="num" data-label="Size">3 KiB</td>');
});
