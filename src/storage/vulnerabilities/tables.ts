import type { Exploitation, Exposure, Importance } from '../../domain/risk/facts.ts';
import { table } from '../engine/table.ts';
import { sites } from '../sites/tables.ts';

/** At most one row: which of the mirror's snapshots is used, and which are kept. They are files beside the database. */
export const mirror = table('mirror', ({ int, text, json }) => ({
  id: int().primaryKey(),
  /** A snapshot's id; null = none is used. */
  current: text(),
  /** The newest import first. */
  kept: json().$type<readonly { readonly id: string; readonly importedAt: number }[]>().notNull(),
}));

/** The components of a site, as its tenant told them last. */
export const siteInventories = table(
  'site_inventories',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    /** See stored-components.ts. */
    components: text().notNull(),
    receivedAt: int('received_at').notNull(),
  }),
  (of, { primaryKey, index }) => [
    primaryKey({ columns: [of.licenseId, of.siteId] }),
    index('site_inventories_received').on(of.receivedAt),
  ],
);

/** What depends on a site and who can reach it, in its tenant's words. */
export const siteImportances = table(
  'site_importances',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    importance: text().$type<Importance>().notNull(),
    /** Null leaves it to what is known of each component. */
    exposure: text().$type<Exposure>(),
    /** Since when that is or was `open`; null = never. */
    openSince: int('open_since'),
    /** When it was so no more; null = it is, or never was. */
    openUntil: int('open_until'),
    updatedAt: int('updated_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.siteId] })],
);

/** What the operator says of how vulnerabilities are exploited. */
export const exploitationAssertions = table('exploitation_assertions', ({ int, text }) => ({
  /** An id or alias of a vulnerability, as the operator wrote it. */
  name: text().primaryKey(),
  exploitation: text().$type<Exploitation>().notNull(),
  reason: text().notNull(),
  assertedAt: int('asserted_at').notNull(),
  /** Since when it is the same. */
  since: int().notNull().default(0),
}));
