import { API } from '../support/client.ts';
import type { RunningService } from '../support/service.ts';

// The waiting time of a caller, next to any other load.

const INTERVAL_MS = 10;

export interface Waiting {
  /** Times of answers in milliseconds, in ascending order. */
  readonly times: readonly number[];
  /**
   * The longest delay of this process itself, in milliseconds: the part of the longest times that other
   * processes cause.
   */
  readonly lateMs: number;
}

export const askForStatus = ({ url }: RunningService, seconds: number): Promise<Waiting> =>
  askEvenly(() => fetch(`${url}${API}/status`), seconds);

/** Sends requests at even intervals, independent of answers. */
export async function askEvenly(ask: () => Promise<Response>, seconds: number): Promise<Waiting> {
  const asked: Promise<number>[] = [];
  let lateMs = 0;
  for (let left = (seconds * 1_000) / INTERVAL_MS; left > 0; left--) {
    const askedAt = performance.now();
    asked.push(
      ask().then(async (answer) => {
        await answer.text();
        return performance.now() - askedAt;
      }),
    );
    await Bun.sleep(INTERVAL_MS);
    lateMs = Math.max(lateMs, performance.now() - askedAt - INTERVAL_MS);
  }
  return { times: (await Promise.all(asked)).sort((a, b) => a - b), lateMs: Math.round(lateMs) };
}

/** The time within which a share of all answers arrived; 1 for the longest. */
export const at = (times: readonly number[], share: number): number =>
  Number((times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1));

/** The runtime's compiler, as in the binary and as under the unit, by the value of BUN_JSC_useJIT. */
export const COMPILERS = [
  ['with', '1'],
  ['without', '0'],
] as const;
