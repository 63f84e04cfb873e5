import type { Database } from './database.ts';

type Value = string | number | null;
/** By their names, which stand in the text behind colons; or in their order, for question marks. */
type Values = readonly [Readonly<Record<string, Value>>] | readonly Value[];

/** A statement in plain SQL, for the hottest paths: Drizzle's mapping can cost more than the statement. */
export interface Statement<Row> {
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  /** Reads row by row. */
  iterate(...values: Values): Iterable<Row>;
  run(...values: Values): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

/**
 * Prepares a statement on one connection.
 *
 * @typeParam Row what it reads, which nobody checks
 */
export const prepare = <Row = never>({ $client }: Database, text: string): Statement<Row> =>
  $client.prepare(text) as unknown as Statement<Row>;

/** Runs statements that give no rows. */
export const execute = ({ $client }: Database, text: string): void => $client.exec(text);
