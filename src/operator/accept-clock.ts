import { iso } from '../lib/clock.ts';
import type { Database } from '../storage/engine/database.ts';
import { type FutureMoments, readFutureMoments } from '../storage/future-moments.ts';
import { type Act, audited, type PlannedAct, unchanged } from './act.ts';
import { CLOCK_ACCEPTED } from './clock-accepted.ts';

/** Rows with a moment in the future, in words for the operator. */
export const futureInWords = ({ column, rows, firstId, lastId, newest }: FutureMoments): string =>
  `${column}: ${rows} ${rows === 1 ? 'row' : 'rows'}${idsOf(firstId, lastId)}, until ${iso(newest)}`;

const idsOf = (first: number | null, last: number | null): string => {
  if (first === null) return '';
  return first === last ? ` (${first})` : ` (${first} to ${last})`;
};

/** Sets times that are later than the clock to now, if the clock is right. */
export async function acceptClock(
  db: Database,
  act: Act,
): Promise<PlannedAct & { readonly found: readonly FutureMoments[] }> {
  const found = await readFutureMoments(db, act.now);
  if (found.length === 0) return { ...unchanged('no row is later than the clock'), found };
  const jobs = [{ name: 'acceptClock', input: { now: act.now } } as const];
  const before = Object.fromEntries(
    found.map(({ column, rows, newest }) => [column, { rows, newest: iso(newest) }]),
  );
  return {
    ...audited(act, CLOCK_ACCEPTED, null, jobs, { before, after: { moment: iso(act.now) } }),
    notices: ['events, evidence, audit log entries, keys, credentials and expiry dates keep their times'],
    found,
  };
}
