import { isRefusal, type Refusal } from '../../domain/refusal.ts';
import type { Database } from '../engine/database.ts';
import { type ThreatReport, threatReportJobs } from '../threats/threat-reports.ts';
import { type SignalRecord, signalJobs } from './signals.ts';

/** A tripped decoy: what its license keeps of it, and the threat that it vouches for by it. */
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
