import type { Verdict } from '../../analysis/verdict.ts';
import { table } from '../engine/table.ts';
import { licenses } from '../licenses/tables.ts';

/** Verdicts of the analysis by license, UTC day, verdict and category; the empty category counts each verdict once. */
export const verdictCounts = table(
  'verdict_counts',
  ({ int, text }) => ({
    licenseId: int('license_id')
      .notNull()
      .references(() => licenses.id),
    day: text().notNull(),
    verdict: text().$type<Verdict>().notNull(),
    category: text().notNull(),
    given: int().notNull(),
  }),
  (of, { primaryKey }) => [primaryKey({ columns: [of.licenseId, of.day, of.verdict, of.category] })],
);
