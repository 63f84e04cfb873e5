import type { CopiedRow, CopiedTable } from './copied-tables.ts';

/** Rows that are in memory at once: so many, or a few more characters than so many. */
export const ROWS_AT_ONCE = 1_000;
export const CHARACTERS_AT_ONCE = 1_000_000;

/** A store that is read while nobody changes it. */
export interface CopySource {
  /** What it is called, for the operator. */
  readonly name: string;
  /** What it remembers of the key that it was used with; undefined = nothing. */
  fingerprint(): Promise<string | undefined>;
  /** About how many bytes it takes, with its indexes. */
  bytes(): Promise<number>;
  count(table: CopiedTable): Promise<number>;
  read(table: CopiedTable): Iterable<readonly CopiedRow[]> | AsyncIterable<readonly CopiedRow[]>;
  /** The last number that a table gave which gives none twice; '0' when it gave none. */
  lastGiven(table: CopiedTable): Promise<string>;
  close(): Promise<void>;
}

/** A store that is filled. From the beginning until it is released nobody else can use it. */
export interface CopyTarget extends CopySource {
  /** Whether its texts can hold NUL. */
  readonly holdsNul: boolean;
  /** Whether it holds anything that `begin` would take away. */
  readonly isInUse: boolean;
  /** What is the matter with the room for so many bytes, in words for the operator; undefined when they are free, or nobody can tell. */
  lackOfRoom(bytes: number): string | undefined;
  /** What is to be said of it when the copy has failed. */
  readonly afterFailure: string;
  /** Empties it. */
  begin(): Promise<void>;
  /**
   * Adds rows, whose values are taken as they are.
   *
   * @param texts of each row, as a list in JSON
   */
  write(table: CopiedTable, rows: readonly CopiedRow[], texts: readonly string[]): Promise<void>;
  /**
   * Makes what takes long to keep while rows are added: indexes, references and triggers.
   *
   * @param lastGiven by the names of tables which give no number twice
   */
  complete(lastGiven: ReadonlyMap<string, string>): Promise<void>;
  /** Lets it be used. */
  release(): Promise<void>;
  /** Removes at once what is left of a copy that did not come to its end, as far as it is a file. */
  discard(): void;
}
