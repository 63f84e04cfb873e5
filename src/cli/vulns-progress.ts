import { basename } from 'node:path';
import type { ImportPlan } from '../operator/import-vulnerabilities.ts';

/** What is over by then says nothing in between. */
const SILENT_MS = 2_000;
/** Together with the half second from one call to the next, two seconds at most. */
const BETWEEN_MS = 1_500;
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
  let saidAt = monotonic();
  let waitMs = SILENT_MS;
  const sayNow = (line: () => string) => {
    const at = monotonic();
    if (at - saidAt < waitMs) return;
    [saidAt, waitMs] = [at, BETWEEN_MS];
    say(line());
  };
  return {
    onProgress: ({ path }, { phase, bytes, records, refused }) =>
      sayNow(() => {
        const done = `${basename(path)}: ${phase}, ${(bytes / MIB).toFixed(1)} MiB`;
        return phase === 'checking' ? done : `${done}, ${records} records, ${refused} refused`;
      }),
    onJoining: (vulnerabilities) =>
      sayNow(() => `joining what the sources say, ${vulnerabilities} vulnerabilities so far`),
  };
}
