import { readAlerts } from './alerts.ts';
import { readDailyUsage } from './daily-usage.ts';
import { readDailyVolumes } from './daily-volumes.ts';
import { type Database, readAtOnce } from './engine/database.ts';
import { readEvents } from './events.ts';
import { readRegistrations } from './licenses.ts';
import { readRollups } from './rollups.ts';
import { readSignals } from './signals.ts';
import { readSites } from './sites.ts';
import { readVerdictTally } from './verdicts.ts';

/** What a tenant sent, for reading. Every function is given the license and finds nothing of another. */
export type TenantData = ReturnType<typeof readTenantData>;

export function readTenantData(db: Database) {
  return {
    sites: readSites(db),
    events: readEvents(db),
    alerts: readAlerts(db),
    registrations: readRegistrations(db),
    rollups: readRollups(db),
    signals: readSignals(db),
    usage: readDailyUsage(db),
    volumes: readDailyVolumes(db),
    verdictTally: readVerdictTally(db),

    /** Runs several reads on one state of the database, so that their numbers fit together. */
    atOnce: <Value>(read: () => Value): Value => readAtOnce(db, read),
  };
}
