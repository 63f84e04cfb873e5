import { createHash } from 'node:crypto';
import type { CopiedRow } from './copied-tables.ts';

/** A text that is unique to the row. */
export const textOf = (row: CopiedRow): string => JSON.stringify(row);

const WORDS = 8;

/** Sums up the rows of a table in any order. */
export interface RowSum {
  rows(): number;
  /** @param text of a row */
  add(text: string): void;
  /** In hexadecimal. */
  value(): string;
}

/**
 * The sum of the SHA-256 of each row, in words: the order of rows does not matter, but none may differ, be missing or be
 * repeated.
 */
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
