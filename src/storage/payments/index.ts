import { TRIAL_RESERVED_MS } from '../../domain/license/trial.ts';
import { ahead } from '../engine/own-moments.ts';
import type { Subject } from '../engine/subject.ts';
import * as tables from './tables.ts';

export const payments = {
  tables,
  filledByStart: [tables.reconciliations],
  ownMoments: [ahead(tables.trials.licenseId, tables.trials.reservedUntil, TRIAL_RESERVED_MS)],
} satisfies Subject;
