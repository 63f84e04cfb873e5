import type { Exploitation, Exposure, Importance } from '../../domain/risk/facts.ts';
import { table } from '../engine/table.ts';
import { sites } from '../sites/tables.ts';

/** At most one row: which of the mirror's snapshots is used, and which are retained. They are files next to the database. */
export const mirror = table('mirror', ({ int, text, json }) => ({
  id: int().primaryKey(),
  /** A snapshot's id; null = none is used. */
  current: text(),
  /** The newest import first. */
  kept: json().$type<readonly { readonly id: string; readonly importedAt: number }[]>().notNull(),
}));

/** The last reported components of a site. */
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

/** A tenant's statements about what depends on a site and who can reach it. */
export const siteImportances = table(
  'site_importances',
  ({ int, text }) => ({
    licenseId: int('license_id').notNull(),
    siteId: int('site_id')
      .notNull()
      .references(() => sites.id),
    importance: text().$type<Importance>().notNull(),
    /** Null = derived from each component. */
    exposure: text().$type<Exposure>(),
    /** Since when that is or was `open`; null = never. */
    openSince: int('open_since'),
    /** When it ceased to be; null = it is open, or never was. */
    openUntil: int('open_until'),
    updatedAt: int('updated_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.siteId] })],
);

/** Operators' assertions of how vulnerabilities are exploited. */
export const exploitationAssertions = table('exploitation_assertions', ({ int, text }) => ({
  /** A vulnerability's id or alias, as entered by the operator. */
  name: text().primaryKey(),
  exploitation: text().$type<Exploitation>().notNull(),
  reason: text().notNull(),
  assertedAt: int('asserted_at').notNull(),
  /** When the current assertion began. */
  since: int().notNull().default(0),
}));
