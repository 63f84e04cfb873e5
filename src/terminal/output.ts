import { printable, printableJson } from '../lib/printable.ts';
import { writeAll } from '../lib/write-all.ts';

const STDOUT = 1;
const LATE_READER_MS_MAX = 60_000;

/** A command was refused or found nothing: one line for the operator, exit code 1. */
export class CommandRefused extends Error {}

/** What a command has to say cannot be written, because its reader has ended or the disk is full. */
export class NotWritten extends CommandRefused {
  constructor(message = 'the output is incomplete: its reader ended, or the disk is full') {
    super(message);
  }
}

/** A command did what it is for, and ends with another exit code than 0 because of what it found and printed. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super();
    this.exitCode = exitCode;
  }
}

/** The exit code of a look that found something to do. */
export const SOMETHING_TO_DO = 3;

/** A command was used wrongly: one line for the operator, exit code 2. */
export class WrongUsage extends Error {}

export const printJson = (value: unknown): void => print(printableJson(value));

/** @throws NotWritten */
export const print = (text: string): void => {
  if (!writeAll(STDOUT, `${text}\n`, LATE_READER_MS_MAX)) throw new NotWritten();
};

/**
 * Prints what is shown only now.
 *
 * @param show prints it
 * @param lost what to tell the operator, who has it nowhere, when it cannot be written
 * @throws NotWritten
 */
export function printOnce(show: () => void, lost: string): void {
  try {
    show();
  } catch (error) {
    throw error instanceof NotWritten ? new NotWritten(lost) : error;
  }
}

/**
 * Writes a piece of a long output, for whose reader it waits however long that takes.
 *
 * @throws NotWritten
 */
export const stream = (text: string): void => {
  if (!writeAll(STDOUT, text, Number.POSITIVE_INFINITY)) throw new NotWritten();
};

/** What a command tells beside its output: one line for the operator. */
export const tell = (message: string): void => {
  process.stderr.write(`redoubt: ${printable(message)}\n`);
};

/** Rows as a table for people: columns as wide as their widest cell, each row one line with any content of its cells. */
export function table(columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const cells = [columns, ...rows].map((row) =>
    row.map((cell) => (cell === null || cell === undefined ? '-' : printable(String(cell)))),
  );
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
