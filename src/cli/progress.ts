/** Fast operations print no progress. */
const SILENT_MS = 2_000;
/** Together with the half second from one call to the next, two seconds at most. */
const BETWEEN_MS = 1_500;

/**
 * Tells how far something is, every two seconds, once it takes longer than that.
 *
 * @param say takes a line
 * @param monotonic milliseconds that never go back
 * @returns what is called again and again, with the line as it would be now
 */
export function saySeldom(
  say: (line: string) => void,
  monotonic: () => number = () => performance.now(),
): (line: () => string) => void {
  let saidAt = monotonic();
  let waitMs = SILENT_MS;
  return (line) => {
    const at = monotonic();
    if (at - saidAt < waitMs) return;
    [saidAt, waitMs] = [at, BETWEEN_MS];
    say(line());
  };
}
