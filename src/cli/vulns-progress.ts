import { basename } from 'node:path';
import type { ImportPlan } from '../operator/import-vulnerabilities.ts';
import { saySeldom } from './progress.ts';

const MIB = 1_024 * 1_024;

/**
 * Tells how far an import is, every two seconds, once it takes longer than that.
 *
 * @param say takes a line
 * @param monotonic milliseconds that never go back
 */
export function importProgress(
  say: (line: string) => void,
  monotonic: () => number = () => performance.now(),
): Required<Pick<ImportPlan, 'onProgress' | 'onJoining'>> {
  const sayNow = saySeldom(say, monotonic);
  return {
    onProgress: ({ path }, { phase, bytes, records, refused }) =>
      sayNow(() => {
        const done = `${basename(path)}: ${phase}, ${(bytes / MIB).toFixed(1)} MiB`;
        return phase === 'checking' ? done : `${done}, ${records} records, ${refused} refused`;
      }),
    onJoining: (vulnerabilities) =>
      sayNow(() => `merging the sources, ${vulnerabilities} vulnerabilities so far`),
  };
}
