import { asc, gte, lt } from 'drizzle-orm';
import { DAY_MS, utcDayNumber } from '../../lib/clock.ts';
import type { Database } from '../engine/database.ts';
import { ofRetention } from '../engine/retention.ts';
import { prepare } from '../engine/statement.ts';
import type { Row } from '../engine/table.ts';
import { fleetDays } from './tables.ts';

const KEPT_DAYS = 90;

/** How many licenses and sites there were on a day. */
export type FleetDay = Row<typeof fleetDays>;

/** Reads the counts of all days from one on, the oldest first. */
export const readFleetDays = async (db: Database, from: number): Promise<FleetDay[]> =>
  db.select().from(fleetDays).where(gte(fleetDays.day, from)).orderBy(asc(fleetDays.day)).all();

export function fleetDayJobs(db: Database) {
  const note = prepare(
    db,
    `
    insert into fleet_days (day, active_licenses, sites, reporting_sites) values (:day, :activeLicenses, :sites, :reportingSites)
      on conflict (day) do update set active_licenses = excluded.active_licenses, sites = excluded.sites,
        reporting_sites = excluded.reporting_sites
    `,
  );

  return {
    /** Notes the counts of a day, in place of earlier ones of that day. */
    async noteFleetDay(day: FleetDay): Promise<void> {
      await note.run({ ...day });
    },

    forgetFleetDays: ofRetention(
      ({ now }) => ({ before: utcDayNumber(now - KEPT_DAYS * DAY_MS) }),
      async ({ before }: { before: number }): Promise<void> => {
        await db.delete(fleetDays).where(lt(fleetDays.day, before)).run();
      },
    ),
  };
}
