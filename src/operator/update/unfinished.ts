import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { flush, layFile } from '../../lib/lay-file.ts';
import { readFile } from '../../lib/read-file.ts';

/** What an update notes before it replaces an executable, and removes once that is ready or gone again. */
const Unfinished = Type.Object({ from: Type.String(), to: Type.String(), at: Type.String() });
export type Unfinished = Static<typeof Unfinished>;

/** Beside the executable. */
const noteAt = (executable: string): string => `${executable}.updating`;

/** On disk when this returns, for everybody to read. */
export const noteUpdate = (executable: string, update: Unfinished): void =>
  layFile(noteAt(executable), (partial) => {
    writeFileSync(partial, JSON.stringify(update));
    chmodSync(partial, 0o644);
  });

export function removeNote(executable: string): void {
  rmSync(noteAt(executable), { force: true });
  flush(dirname(executable));
}

/** The update of an executable that did not come to its end; undefined where there is none. */
export function readUnfinished(executable: string): Unfinished | undefined {
  try {
    const noted: unknown = JSON.parse(readFile(noteAt(executable)));
    return Check(Unfinished, noted) ? noted : undefined;
  } catch {
    return undefined;
  }
}
