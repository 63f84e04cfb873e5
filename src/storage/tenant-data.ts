import { Turns } from '../lib/turns.ts';
import { readVerdictTally } from './analyses/verdicts.ts';
import { readCredentials } from './credentials/credentials.ts';
import { type Database, readAtOnce } from './engine/database.ts';
import { readEvidence } from './evidence/evidence.ts';
import { readDailyUsage } from './licenses/daily-usage.ts';
import { readDailyVolumes } from './licenses/daily-volumes.ts';
import { readFindingsWanted } from './notifications/on-findings.ts';
import { readAssessments } from './scans/assessments.ts';
import { readScanSchedules } from './scans/scan-schedules.ts';
import { readScans } from './scans/scans.ts';
import { readSignals } from './signals/signals.ts';
import { readAlerts } from './sites/alerts.ts';
import { readDomainControls } from './sites/domain-controls.ts';
import { readEvents } from './sites/events.ts';
import { readRollups } from './sites/rollups.ts';
import { readSites } from './sites/sites.ts';
import { readTrustSites } from './trust/trust-sites.ts';
import { readImportances } from './vulnerabilities/importances.ts';
import { readInventories } from './vulnerabilities/inventories.ts';

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
  /** Whether a target wants findings about the components of a license. */
  isFindingsWanted: readFindingsWanted(db),
});

/** Reads of tenants' data. Every function gets the license and finds only its data. */
export type TenantReads = ReturnType<typeof readsOf>;

export interface TenantData extends TenantReads {
  /** Runs several reads on one state of the database, so that their numbers are consistent. */
  readonly atOnce: <Value>(read: (data: TenantReads) => Promise<Value>) => Promise<Value>;
}

/** @param apart an exclusive connection, for reads that belong together */
export function readTenantData(db: Database, apart: Database): TenantData {
  const turns = new Turns();
  const together = readsOf(apart);
  return {
    ...readsOf(db),
    atOnce: (read) => turns.take(() => readAtOnce(apart, () => read(together))),
  };
}
