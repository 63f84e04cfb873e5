import type { AttackType } from '../../domain/threat/attack-type.ts';
import type { FeedRuling } from '../../domain/threat/feed-ruling.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** The operator's rulings about threats, regardless of who reports them. */
export const feedRulings = table('feed_rulings', ({ int, text }) => ({
  fingerprint: text().primaryKey(),
  ruling: text().$type<FeedRuling>().notNull(),
  ruledAt: int('ruled_at').notNull(),
}));

/** Trusted installations. */
export const feedTrusts = table('feed_trusts', ({ id, int, text }) => ({
  id: id(),
  /** The operator's name for it. */
  name: text().notNull().unique(),
  /** Its public key, in minisign's format. */
  key: text().notNull(),
  /** The number of customers that it counts as. */
  weight: int().notNull(),
  addedAt: int('added_at').notNull(),
  /** Of the last import; null = none yet. */
  serial: int(),
  importedAt: int('imported_at'),
  /** From this moment on it does not count. */
  expiresAt: int('expires_at'),
}));

/** The current content of their feeds. */
export const importedThreats = table(
  'imported_threats',
  ({ int, text }) => ({
    fingerprint: text().notNull(),
    trustId: int('trust_id')
      .notNull()
      .references(() => feedTrusts.id),
    attackType: text('attack_type').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.fingerprint, of.trustId] }),
    index('imported_threats_trust').on(of.trustId),
  ],
);

export const threatReports = table(
  'threat_reports',
  ({ int, text }) => ({
    fingerprint: text().notNull(),
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    attackType: text('attack_type').notNull(),
    firstReportedAt: int('first_reported_at').notNull(),
    lastReportedAt: int('last_reported_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.fingerprint, of.licenseId] }),
    index('threat_reports_last').on(of.lastReportedAt),
  ],
);

/** At most one row: the feed as served. */
export const feedSnapshots = table('feed_snapshots', ({ int, text }) => ({
  id: int().primaryKey(),
  epoch: int().notNull(),
  generatedAt: int('generated_at').notNull(),
  entries: text().notNull(),
  /** The part reported by this installation's customers alone; null = all. */
  own: text(),
}));

/** Threats for TAXII and MISP: one row for each that is in the feed, or was recently withdrawn. */
export const feedObjects = table(
  'feed_objects',
  ({ flag, int, text }) => ({
    fingerprint: text().primaryKey(),
    /** The UUID of its indicator, which depends on the fingerprint alone. */
    uuid: text().notNull(),
    attackType: text('attack_type').$type<AttackType>().notNull(),
    corroborationCount: int('corroboration_count').notNull(),
    createdAt: int('created_at').notNull(),
    /** Increases with every version. */
    modifiedAt: int('modified_at').notNull(),
    /** In microseconds since the Unix epoch; increases over all versions of all threats. */
    dateAdded: int('date_added').notNull(),
    isWithdrawn: flag('is_withdrawn').notNull(),
  }),
  (of, { index, uniqueIndex }) => [
    uniqueIndex('feed_objects_uuid').on(of.uuid),
    uniqueIndex('feed_objects_date_added').on(of.dateAdded),
    index('feed_objects_collection').on(of.isWithdrawn, of.dateAdded),
  ],
);
