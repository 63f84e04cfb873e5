import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { refuseDoubles } from '../lib/refuse-doubles.ts';
import { analyses } from './analyses/index.ts';
import { credentials } from './credentials/index.ts';
import type { Subject } from './engine/subject.ts';
import { evidence } from './evidence/index.ts';
import { installation } from './installation/index.ts';
import { licenses } from './licenses/index.ts';
import { notifications } from './notifications/index.ts';
import { operators } from './operators/index.ts';
import { payments } from './payments/index.ts';
import { scans } from './scans/index.ts';
import { signals } from './signals/index.ts';
import { signing } from './signing/index.ts';
import { sites } from './sites/index.ts';
import { threats } from './threats/index.ts';
import { trust } from './trust/index.ts';
import { vulnerabilities } from './vulnerabilities/index.ts';

/** All subjects, with their tables and jobs. */
export const SUBJECTS = {
  signing,
  operators,
  licenses,
  sites,
  signals,
  threats,
  vulnerabilities,
  evidence,
  scans,
  credentials,
  trust,
  payments,
  analyses,
  installation,
  notifications,
} satisfies Readonly<Record<string, Subject>>;

/**
 * The tables of subjects, ordered by name.
 *
 * @throws Fault when two have one name
 */
export function tablesOf(
  subjects: Readonly<Record<string, Pick<Subject, 'tables'>>>,
): readonly SQLiteTable[] {
  const found = Object.entries(subjects).flatMap(([subject, { tables }]) =>
    Object.entries(tables).map(([as, table]) => ({
      name: getTableName(table),
      place: `${subject}.${as}`,
      table,
    })),
  );
  refuseDoubles('table', found);
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ table }) => table);
}

/** All tables. Those that only one engine has, such as the record of its migrations, are not included. */
export const TABLES = tablesOf(SUBJECTS);
