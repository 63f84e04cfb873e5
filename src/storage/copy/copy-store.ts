import { SECOND_MS } from '../../lib/clock.ts';
import { Fault } from '../../lib/fault.ts';
import { DatabaseUnusable } from '../engine/database.ts';
import { troubleOf } from '../engine/trouble.ts';
import { type RowSum, rowSum, textOf } from './checksum.ts';
import { COPIED_TABLES, type CopiedRow, type CopiedTable } from './copied-tables.ts';
import type { CopySource, CopyTarget } from './sides.ts';

/** The progress of a copy: rows written, then rows read back, of all rows. */
export interface CopyProgress {
  readonly phase: 'copying' | 'finishing' | 'verifying';
  readonly done: number;
  readonly all: number;
}

export interface CopiedStore {
  /** Rows by the table's name. */
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: number;
  /** Texts with NUL characters, which the target cannot store and replaces by U+FFFD. */
  readonly textsChanged: number;
  readonly seconds: number;
}

const NUL_IN_JSON = '\\u0000';

/**
 * Empties a store, copies all rows of another one into it, and reads them back to compare.
 *
 * @throws Fault, after which the target cannot be used; DatabaseUnusable with nothing changed when there is no room for it
 */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedStore> {
  const began = performance.now();
  const lack = target.lackOfRoom(await source.bytes());
  if (lack !== undefined)
    throw new DatabaseUnusable(`nothing was copied: ${lack}. Free some space, or use another directory`);
  try {
    await target.begin();
    let all = 0;
    for (const table of COPIED_TABLES) all += await source.count(table);
    const sums = new Map<CopiedTable, RowSum>();
    let [done, textsChanged] = [0, 0];
    const lastGiven = new Map<string, string>();
    for (const table of COPIED_TABLES) {
      const copied = await copyTable(source, target, table, (rows) => {
        done += rows;
        onProgress({ phase: 'copying', done, all });
      });
      sums.set(table, copied.sum);
      textsChanged += copied.textsChanged;
      if (table.givesOnce) lastGiven.set(table.name, await source.lastGiven(table));
    }
    onProgress({ phase: 'finishing', done, all });
    await target.complete(lastGiven);
    await verify(target, sums, lastGiven, (done) => onProgress({ phase: 'verifying', done, all }));
    await target.release();
    return {
      counts: Object.fromEntries([...sums].map(([{ name }, sum]) => [name, sum.rows()])),
      rows: done,
      textsChanged,
      seconds: Math.round(performance.now() - began) / SECOND_MS,
    };
  } catch (error) {
    target.discard();
    const why = error instanceof Fault ? error.message : (troubleOf(error) ?? (error as Error).message);
    throw new DatabaseUnusable(`the copy failed: ${why}; ${target.afterFailure}`, { cause: error });
  }
}

/** Writes one piece while it reads the next. */
async function copyTable(
  source: CopySource,
  target: CopyTarget,
  table: CopiedTable,
  onRows: (rows: number) => void,
): Promise<{ readonly sum: RowSum; readonly textsChanged: number }> {
  const sum = rowSum();
  let textsChanged = 0;
  let writing: Promise<void> = Promise.resolve();
  for await (const read of source.read(table)) {
    let [rows, texts] = [read, read.map(textOf)];
    if (!target.holdsNul && texts.some((text) => text.includes(NUL_IN_JSON))) {
      const held = withoutNul(read);
      textsChanged += held.changed;
      [rows, texts] = [held.rows, held.rows.map(textOf)];
    }
    for (const text of texts) sum.add(text);
    await writing;
    writing = target.write(table, rows, texts);
    // It may fail while the next piece is read, and is awaited afterwards.
    writing.catch(() => {});
    onRows(rows.length);
  }
  await writing;
  return { sum, textsChanged };
}

function withoutNul(rows: readonly CopiedRow[]): { rows: readonly CopiedRow[]; changed: number } {
  let changed = 0;
  const without = rows.map((row) =>
    row.map((value) => {
      if (!value?.includes('\0')) return value;
      changed += 1;
      return value.replaceAll('\0', '\ufffd');
    }),
  );
  return { rows: without, changed };
}

async function verify(
  target: CopyTarget,
  sums: ReadonlyMap<CopiedTable, RowSum>,
  lastGiven: ReadonlyMap<string, string>,
  onRows: (done: number) => void,
): Promise<void> {
  let done = 0;
  for (const [table, written] of sums) {
    const sum = rowSum();
    for await (const rows of target.read(table)) {
      for (const row of rows) sum.add(textOf(row));
      done += rows.length;
      onRows(done);
    }
    if (sum.rows() !== written.rows())
      throw new DatabaseUnusable(
        `${written.rows()} rows of ${table.name} were written, but ${sum.rows()} were read`,
      );
    if (sum.value() !== written.value())
      throw new DatabaseUnusable(`the rows of ${table.name} differ from those that were written`);
    if (table.givesOnce && (await target.lastGiven(table)) !== lastGiven.get(table.name))
      throw new DatabaseUnusable(`the next number of ${table.name} would not continue`);
  }
}
