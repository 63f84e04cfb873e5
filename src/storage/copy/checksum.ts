import { createHash } from 'node:crypto';
import type { CopiedRow } from './copied-tables.ts';

/** A row in a form that no other row has. */
export const textOf = (row: CopiedRow): string => JSON.stringify(row);

const WORDS = 8;

/** Sums up the rows of a table, whatever their order. */
export interface RowSum {
  rows(): number;
  /** @param text of a row */
  add(text: string): void;
  /** In hexadecimal. */
  value(): string;
}

/** The sum of the SHA-256 of each row, word by word: rows may come in another order, but none may differ, be missing or be there twice. */
export function rowSum(): RowSum {
  const sum = new Uint32Array(WORDS);
  let rows = 0;
  return {
    rows: () => rows,
    add(text) {
      const digest = createHash('sha256').update(text).digest();
      for (let word = 0; word < WORDS; word++) sum[word] = (sum[word] ?? 0) + digest.readUInt32LE(word * 4);
      rows += 1;
    },
    value: () => Buffer.from(sum.buffer).toString('hex'),
  };
}
