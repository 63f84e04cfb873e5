import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { OwnMoment } from './own-moments.ts';

/** What the service keeps of one subject. */
export interface Subject {
  readonly tables: Readonly<Record<string, SQLiteTable>>;
  /** Tables that the first start of a server may fill: their rows do not show that a store is in use. */
  readonly filledByStart?: readonly SQLiteTable[];
  /** Entries of logs and events are not among them. */
  readonly ownMoments?: readonly OwnMoment[];
}
