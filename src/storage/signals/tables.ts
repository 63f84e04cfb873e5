import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** Signals that are stored in addition to a license's earlier ones. */
export const signalHistory = table(
  'signal_history',
  ({ serial, int, text }) => ({
    id: serial(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    signal: text().notNull(),
    record: text().notNull(),
    receivedAt: int('received_at').notNull(),
  }),
  (of, { index }) => [
    index('signal_history_latest').on(of.licenseId, of.signal, of.id),
    index('signal_history_received').on(of.receivedAt),
  ],
);

/** Signals that replace a license's earlier one for the same site. */
export const signalSnapshots = table(
  'signal_snapshots',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    signal: text().notNull(),
    /** A derived identity, or empty when there is one for the license. */
    site: text().notNull(),
    record: text().notNull(),
    receivedAt: int('received_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.signal, of.site] })],
);
