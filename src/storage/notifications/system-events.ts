import type { Severity } from '../../domain/severity.ts';
import type { Database } from '../engine/database.ts';
import { perDatabase } from '../engine/per-database.ts';
import { prepareAppend } from './append.ts';
import { prepareNoted } from './noted-states.ts';

/** A current or expected problem of the service. */
export interface SystemProblem {
  /** Stays the same while the problem lasts. */
  readonly key: string;
  /** In words for operators, without a full stop. */
  readonly problem: string;
  readonly severity: Severity;
}

/** Records problems of the service, each once until it is over. */
export const prepareSystemEvents = perDatabase((db: Database) => {
  const { append } = prepareAppend(db);
  const { noteFirst, drop } = prepareNoted(db);
  return {
    async reportProblem({ key, problem, severity, now: at }: SystemProblem & { now: number }): Promise<void> {
      if (!(await noteFirst('system', key, problem, at))) return;
      await append([{ type: 'system.problem', severity, at, licenseId: null, data: { problem } }]);
    },

    async reportRecovery({ key, now: at }: { readonly key: string; readonly now: number }): Promise<void> {
      const problem = await drop('system', key);
      if (problem === undefined) return;
      await append([{ type: 'system.recovered', severity: 'info', at, licenseId: null, data: { problem } }]);
    },
  };
});
