import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { type ThreatReport, threatReportJobs } from '../threats/threat-reports.ts';
import { type SignalRecord, signalJobs } from './signals.ts';

/** A tripped decoy: the signal stored for its license, and the threat that it confirms. */
export interface DecoyTrip {
  readonly signal: SignalRecord;
  readonly threat: ThreatReport;
}

export function decoyTripJobs(db: Database) {
  const { recordSignal } = signalJobs(db);
  const { recordThreatReport } = threatReportJobs(db);
  return {
    async recordDecoyTrip({ signal, threat }: DecoyTrip): Promise<Refusal | undefined> {
      const refusal = await recordSignal(signal);
      return isRefusal(refusal) ? refusal : recordThreatReport(threat);
    },
  };
}
