import { getColumnTable, getTableName } from 'drizzle-orm';
import type { Database } from './engine/database.ts';
import type { OwnMoment } from './engine/own-moments.ts';
import { usesReserve } from './engine/reserve-jobs.ts';
import { prepare } from './engine/statement.ts';
import type { Subject } from './engine/subject.ts';
import { SUBJECTS } from './subjects.ts';

interface MomentColumn extends Pick<OwnMoment, 'ahead' | 'unitMs'> {
  readonly table: string;
  readonly column: string;
  readonly id: string | undefined;
}

const MOMENTS: readonly MomentColumn[] = Object.values<Subject>(SUBJECTS)
  .flatMap(({ ownMoments = [] }) => ownMoments)
  .map(({ column, id, ...rest }) => ({
    table: getTableName(getColumnTable(column)),
    column: column.name,
    id: id?.name,
    ...rest,
  }));

/** Matches rows whose time is further ahead than allowed; takes the clock. */
const isLater = ({ column, ahead = '0', unitMs = 1 }: MomentColumn): string =>
  `${unitMs === 1 ? column : `${column} * ${unitMs}`} > cast(? as bigint) + (${ahead})`;

/** Rows with a time later than the clock allows. */
export interface FutureMoments {
  /** A table and its column, such as `licenses.created_at`. */
  readonly column: string;
  readonly rows: number;
  /** The smallest and the largest id of a row, or of its license or operator; null if its rows have none. */
  readonly firstId: number | null;
  readonly lastId: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly newest: number;
}

/** PostgreSQL answers large numbers as texts. */
const numberOf = (found: number | null): number | null => (found === null ? null : Number(found));

/** Finds the rows that a clock which ran ahead has left. */
export async function readFutureMoments(db: Database, now: number): Promise<FutureMoments[]> {
  const found: FutureMoments[] = [];
  for (const moment of MOMENTS) {
    const { table, column, id, unitMs = 1 } = moment;
    const later = prepare<Omit<FutureMoments, 'column'>>(
      db,
      `select count(*) as "rows", ${id ? `min(${id})` : 'null'} as "firstId", ${id ? `max(${id})` : 'null'} as "lastId",
        coalesce(max(${column}), 0) as newest from ${table} where ${isLater(moment)}`,
    );
    const { rows = 0, firstId = null, lastId = null, newest = 0 } = (await later.get(now)) ?? {};
    if (Number(rows) > 0)
      found.push({
        column: `${table}.${column}`,
        rows: Number(rows),
        firstId: numberOf(firstId),
        lastId: numberOf(lastId),
        newest: Number(newest) * unitMs,
      });
  }
  return found;
}

export function futureMomentJobs(db: Database) {
  return {
    /** Sets every time that is later than the clock allows to now. */
    acceptClock: usesReserve(async ({ now }: { now: number }): Promise<void> => {
      for (const moment of MOMENTS) {
        const { table, column, unitMs = 1 } = moment;
        const update = prepare(db, `update ${table} set ${column} = ? where ${isLater(moment)}`);
        await update.run(Math.floor(now / unitMs), now);
      }
    }),
  };
}
