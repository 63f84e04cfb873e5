/** @jsxImportSource hono/jsx */
import { expect, test } from 'bun:test';
import { Table } from '../../src/pages/table.tsx';

const shown = (rows: readonly string[], none?: string) =>
  String(
    <Table label="list" columns={['name']} none={none}>
      {rows.map((row) => (
        <tr>{row}</tr>
      ))}
    </Table>,
  );

test('a table without rows is its empty state, if any', () => {
  expect(shown([], 'empty')).toBe('empty');
  expect(String(<Table label="list" columns={['name']} rows={[]} none="empty" />)).toBe('empty');
  expect(shown([])).toContain('<tbody></tbody>');
});

test('a table with rows shows only them', () => {
  expect(shown(['one'], 'empty')).toContain('<tbody><tr>one</tr></tbody>');
  expect(shown(['one'], 'empty')).not.toContain('empty');
});
