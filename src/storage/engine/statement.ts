import type { Awaitable } from '../../lib/awaitable.ts';
import type { Statement } from './connection.ts';
import type { Database } from './database.ts';

/**
 * Prepares a statement on one connection.
 *
 * @typeParam Row the type of its rows, which is not checked
 */
export const prepare = <Row = never>({ connection }: Database, text: string): Statement<Row> =>
  connection.prepare(text);

/** Runs statements that return no rows. */
export const execute = ({ connection }: Database, text: string): Awaitable<void> => connection.execute(text);
