import { Turns } from '../lib/turns.ts';
import { readAlerts } from './alerts.ts';
import { readAssessments } from './assessments.ts';
import { readCredentials } from './credentials.ts';
import { readDailyUsage } from './daily-usage.ts';
import { readDailyVolumes } from './daily-volumes.ts';
import { readDomainControls } from './domain-controls.ts';
import { type Database, readAtOnce } from './engine/database.ts';
import { readEvents } from './events.ts';
import { readEvidence } from './evidence.ts';
import { readImportances } from './importances.ts';
import { readInventories } from './inventories.ts';
import { readRollups } from './rollups.ts';
import { readScanSchedules } from './scan-schedules.ts';
import { readScans } from './scans.ts';
import { readSignals } from './signals.ts';
import { readSites } from './sites.ts';
import { readTrustSites } from './trust-sites.ts';
import { readVerdictTally } from './verdicts.ts';

const readsOf = (db: Database) => ({
  sites: readSites(db),
  events: readEvents(db),
  alerts: readAlerts(db),
  domainControls: readDomainControls(db),
  trustSites: readTrustSites(db),
  credentials: readCredentials(db),
  rollups: readRollups(db),
  signals: readSignals(db),
  usage: readDailyUsage(db),
  volumes: readDailyVolumes(db),
  verdictTally: readVerdictTally(db),
  inventories: readInventories(db),
  importances: readImportances(db),
  scans: readScans(db),
  scanSchedules: readScanSchedules(db),
  assessments: readAssessments(db),
  evidence: readEvidence(db),
});

/** What a tenant sent, for reading. Every function is given the license and finds nothing of another. */
export type TenantReads = ReturnType<typeof readsOf>;

export interface TenantData extends TenantReads {
  /** Runs several reads on one state of the database, so that their numbers fit together. */
  readonly atOnce: <Value>(read: (data: TenantReads) => Promise<Value>) => Promise<Value>;
}

/** @param apart a connection that nobody else uses, for reads that belong together */
export function readTenantData(db: Database, apart: Database): TenantData {
  const turns = new Turns();
  const together = readsOf(apart);
  return {
    ...readsOf(db),
    atOnce: (read) => turns.take(() => readAtOnce(apart, () => read(together))),
  };
}
