import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** Sites with a public trust state, and which parts of it are shown. */
export const trustSites = table(
  'trust_sites',
  ({ int, flag, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    domain: text().notNull(),
    /** Opaque; the public id of the site. */
    trustId: text('trust_id').notNull().unique(),
    enabled: flag().notNull(),
    showGrade: flag('show_grade').notNull(),
    updatedAt: int('updated_at').notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.domain] })],
);
