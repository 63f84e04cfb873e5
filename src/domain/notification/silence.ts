import { MINUTE_MS } from '../../lib/clock.ts';

/** When sites could last not report, because nothing ran here. Moments are milliseconds since the Unix epoch. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

const NO_GAP: Gap = { from: 0, to: 0 };

/** A gap from its JSON, as it is stored; undefined = there was none. */
export const parsedGap = (text: string | undefined): Gap =>
  text === undefined ? NO_GAP : (JSON.parse(text) as Gap);

/** A sweep that is this late shows that the service did not run. */
export const GAP_MS_MIN = 5 * MINUTE_MS;

/** The gap after another sweep; the last one before if that was no gap. */
export const gapAfter = (sweptAt: number, now: number, before: Gap): Gap =>
  now - sweptAt > GAP_MS_MIN ? { from: sweptAt, to: now } : before;

/**
 * When a site became or becomes silent. While nothing ran here no site could report, so that time does not count against one that
 * was not silent before.
 */
export function silentAt(lastSeenAt: number, silentAfterMs: number, gap: Gap): number {
  const at = lastSeenAt + silentAfterMs;
  return at <= gap.from ? at : Math.max(lastSeenAt, gap.to) + silentAfterMs;
}
