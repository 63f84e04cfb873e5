import type { CopiedRow, CopiedTable } from './copied-tables.ts';

/** Rows in memory at a time: this many, or slightly more than this many characters. */
export const ROWS_AT_ONCE = 1_000;
export const CHARACTERS_AT_ONCE = 1_000_000;

/** A store that is read while it cannot change. */
export interface CopySource {
  /** Its name for the operator. */
  readonly name: string;
  /** The fingerprint of its key; undefined = none stored. */
  fingerprint(): Promise<string | undefined>;
  /** Approximate size in bytes, with indexes. */
  bytes(): Promise<number>;
  count(table: CopiedTable): Promise<number>;
  read(table: CopiedTable): Iterable<readonly CopiedRow[]> | AsyncIterable<readonly CopiedRow[]>;
  /** The last number that a table without reuse gave; '0' when it gave none. */
  lastGiven(table: CopiedTable): Promise<string>;
  close(): Promise<void>;
}

/** A store that is filled. From `begin` until its release it is used exclusively. */
export interface CopyTarget extends CopySource {
  /** Whether its texts can contain NUL. */
  readonly holdsNul: boolean;
  /** Whether `begin` would remove anything. */
  readonly isInUse: boolean;
  /** Describes the missing room for so many bytes, for the operator; undefined when there is enough, or it is unknown. */
  lackOfRoom(bytes: number): string | undefined;
  /** What the operator should know after a failed copy. */
  readonly afterFailure: string;
  /** Empties it. */
  begin(): Promise<void>;
  /**
   * Adds rows with unchanged values.
   *
   * @param texts of each row, as a list in JSON
   */
  write(table: CopiedTable, rows: readonly CopiedRow[], texts: readonly string[]): Promise<void>;
  /**
   * Creates the objects that would slow down inserts: indexes, references and triggers.
   *
   * @param lastGiven by the names of tables that use no number again
   */
  complete(lastGiven: ReadonlyMap<string, string>): Promise<void>;
  /** Allows others to use it. */
  release(): Promise<void>;
  /** Removes the files of an incomplete copy at once. */
  discard(): void;
}
