import type { AskForGrants, GroupedDraw, GroupedGrant } from '../../../lib/shared-draws.ts';
import type { Database } from '../database.ts';
import { prepare } from '../statement.ts';
import { arrayOf } from './array.ts';

/** The limit of buckets deleted in one statement. */
const FORGOTTEN_AT_ONCE = 10_000;

/** The database's clock, in microseconds, as those of nodes differ; read after a wait for another node. */
const NOW = '(extract(epoch from clock_timestamp()) * 1000000)';
/** The longest time to fill a bucket: a longer one was stored before a clock was set back. */
const MINUTE = '60000000.0';
/** In tokens: the error of a rounded time. */
const SLACK = '0.001';
const MICROSECONDS_PER_MS = 1_000;
const UNITS = '(select cast(:units as bigint) as units) as each_draw';
const NOTHING: GroupedGrant = { granted: 0, fullInMs: 0 };

interface Granted {
  readonly bucket: string;
  readonly licenseId: number;
  readonly granted: number;
  /** In microseconds. */
  readonly fullIn: number;
}

/**
 * Token buckets in an unlogged table, by the generic cell rate algorithm (ITU-T I.371): the time when a bucket is full is its
 * whole state. Rows are locked in one order, so that nodes cannot deadlock.
 *
 * @param db of one connection
 */
export function postgresRateLimits(db: Database): AskForGrants {
  const draw = prepare<Granted>(
    db,
    `
    insert into rate_limits as known (bucket, license_id, capacity, full_at, granted)
      select bucket, license_id, capacity, ${NOW} + first * ${MINUTE} / capacity, first
        from unnest(cast(:buckets as text[]), cast(:licenses as bigint[]), cast(:capacities as bigint[]), cast(:counts as bigint[]))
          as asked(bucket, license_id, capacity, wanted), ${UNITS}, lateral (select least(wanted, capacity) / units * units as first) as new
        order by bucket, license_id
      on conflict (bucket, license_id) do update set (capacity, granted, full_at) = (
        select excluded.capacity, possible, greatest(full_at, now) + possible * ${MINUTE} / excluded.capacity
          from (select ${NOW} as now) as clock, lateral (select least(known.full_at, now + ${MINUTE}) as full_at) as kept, lateral (
            select units * floor(least(excluded.granted, greatest(0,
              floor((${MINUTE} - greatest(full_at - now, 0)) * excluded.capacity / ${MINUTE} + ${SLACK}))) / units) as possible from ${UNITS}
          ) as bucket
      )
      returning bucket, license_id as licenseId, granted, cast(full_at - ${NOW} as bigint) as fullIn
    `,
  );
  /** Draws of one size: a statement can change a row only once. */
  const drawAlike = async (
    draws: readonly GroupedDraw[],
    units: number,
  ): Promise<readonly GroupedGrant[]> => {
    const rows = await draw.all({
      units,
      buckets: arrayOf(draws.map(({ bucket }) => bucket)),
      licenses: arrayOf(draws.map(({ licenseId }) => licenseId)),
      capacities: arrayOf(draws.map(({ capacity }) => capacity)),
      counts: arrayOf(draws.map(({ count }) => count * units)),
    });
    const found = new Map(rows.map((row) => [`${row.bucket} ${row.licenseId}`, row]));
    return draws.map(({ bucket, licenseId }) => {
      const row = found.get(`${bucket} ${licenseId}`);
      return row === undefined
        ? NOTHING
        : { granted: row.granted / units, fullInMs: row.fullIn / MICROSECONDS_PER_MS };
    });
  };
  return async (draws) => {
    const grants = new Map<GroupedDraw, GroupedGrant>();
    // Also when nothing is drawn: callers learn that the server counts.
    for (const units of new Set([1, ...draws.map((each) => each.units)])) {
      const alike = draws.filter((each) => each.units === units);
      if (alike.length === 0 && draws.length > 0) continue;
      const granted = await drawAlike(alike, units);
      for (const [index, each] of alike.entries()) grants.set(each, granted[index] ?? NOTHING);
    }
    return draws.map((each) => grants.get(each) ?? NOTHING);
  };
}

/** Deletes buckets that are full again, which changes no answer. */
export async function forgetFullBuckets(db: Database): Promise<void> {
  const forget = prepare(
    db,
    `
    delete from rate_limits where (bucket, license_id) in (
      select bucket, license_id from rate_limits where full_at < ${NOW} limit ${FORGOTTEN_AT_ONCE} for update skip locked
    )
    `,
  );
  for (;;) if (Number((await forget.run()).changes) < FORGOTTEN_AT_ONCE) return;
}
