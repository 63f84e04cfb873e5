import type { Subject } from '../engine/subject.ts';
import { decoyTripJobs } from './decoy-trips.ts';
import { signalJobs } from './signals.ts';
import * as tables from './tables.ts';

export const signals = {
  tables,
  jobs: { decoyTripJobs, signalJobs },
} satisfies Subject;
