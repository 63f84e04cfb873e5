import { printable, printableJson } from '../lib/printable.ts';
import { writeAll } from '../lib/write-all.ts';

const STDOUT = 1;
const LATE_READER_MS_MAX = 60_000;

/** A command was refused or found nothing. Its message is printed in one line; exit code 1. */
export class CommandRefused extends Error {}

/** The output cannot be written, because its reader has ended or the disk is full. */
export class NotWritten extends CommandRefused {
  constructor(message = 'the output is incomplete: its reader ended, or the disk is full') {
    super(message);
  }
}

/** A command succeeded, but its findings require an exit code other than 0. They are already printed. */
export class Ended extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super();
    this.exitCode = exitCode;
  }
}

/** The exit code of checks that found something to do. */
export const SOMETHING_TO_DO = 3;

/** A command was used incorrectly. The message is printed in one line; exit code 2. */
export class WrongUsage extends Error {}

export const printJson = (value: unknown): void => print(printableJson(value));

/** @throws NotWritten */
export const print = (text: string): void => {
  if (!writeAll(STDOUT, `${text}\n`, LATE_READER_MS_MAX)) throw new NotWritten();
};

/**
 * Prints a secret that is shown only once.
 *
 * @param show prints the secret
 * @param lost the error message if it cannot be written, and is therefore lost
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
 * Writes part of a long output, and waits for its reader without a timeout.
 *
 * @throws NotWritten
 */
export const stream = (text: string): void => {
  if (!writeAll(STDOUT, text, Number.POSITIVE_INFINITY)) throw new NotWritten();
};

/** Prints one line for the operator on stderr. */
export const tell = (message: string): void => {
  process.stderr.write(`redoubt: ${printable(message)}\n`);
};

/** Formats rows as a table with aligned columns. Control characters are escaped, so that each row is one line. */
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
