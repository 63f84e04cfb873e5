import { isRefusal } from '../domain/refusal.ts';
import type { FeedSnapshot } from '../domain/threat/feed.ts';
import { type Representations, represent } from '../http/representations.ts';
import { type Clock, iso, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { Fault, faultOf } from '../lib/fault.ts';
import { GenerationCache } from '../lib/generation-cache.ts';
import type { Log } from '../lib/log.ts';
import { Turns } from '../lib/turns.ts';
import { type ClockWork, lastDue } from '../storage/engine/clock-work.ts';
import type { Writer } from '../storage/engine/writer.ts';
import type { FeedTerms } from '../storage/threats/feed-snapshots.ts';

/** The feed for readers and operators. */
export interface Feed {
  /** From memory until it changes; undefined before the first snapshot. */
  current(): Representations | undefined | Promise<Representations | undefined>;
  /** Whole seconds since the content was last known to be current. */
  ageSeconds(): number;
  /** Why the last rebuild failed; undefined if it succeeded. */
  readonly problem: string | undefined;
  /** Whether a rebuild is more than two minutes overdue, so that its task must be hanging. */
  isLate(): boolean;
  /** Applies new settings with an immediate rebuild. The first rebuild is not awaited. */
  retune(terms: FeedTuning): void;
  /** Stops rebuilding. Resolves when a running rebuild has ended. */
  stop(): Promise<void>;
}

/** The parts of the terms that a reload may change. */
export type FeedTuning = Pick<FeedTerms, 'epochSeconds' | 'rule'>;

export interface FeedParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly clockWork: ClockWork;
  readonly tuning: FeedTuning;
  /** Changes with each published snapshot, from any process. */
  readonly generation: () => number;
  readonly read: () => Promise<FeedSnapshot | undefined>;
  /** Computes the next snapshot outside the HTTP thread; undefined if nothing has changed. */
  readonly compute: (terms: FeedTerms) => Promise<FeedSnapshot | undefined>;
}

const RETRY_MS = 5 * SECOND_MS;
/** While another node computes the snapshot. */
const RECHECK_MS = 500;
/** When a rebuild counts as late. The largest feed takes seconds. */
const REBUILD_MS_MAX = 2 * MINUTE_MS;

/**
 * Publishes the feed at each epoch boundary and at the start. The start does not wait for that, and neither do readers if a
 * snapshot exists. After a failure the last good snapshot is served, and the rebuild is retried soon.
 */
export async function startFeed(parts: FeedParts): Promise<Feed> {
  const { clock, log, clockWork } = parts;
  const turns = new Turns();
  const cache = new GenerationCache(parts.generation, async () => {
    const snapshot = await parts.read();
    return snapshot && represent(feedText(snapshot), FEED_HEADERS);
  });
  let { tuning } = parts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  /** When the pending or running rebuild was due, on the monotonic clock. */
  let dueAtMs = clock.monotonic();
  let problem: string | undefined;
  /** Whether another node is computing the snapshot. */
  let isHeld = false;
  let currentAt = (await parts.read())?.generatedAt ?? clock.now();

  const epochMs = () => tuning.epochSeconds * SECOND_MS;

  const publish = async (now: number) => {
    const snapshot = await parts.compute({ ...tuning, now });
    if (snapshot === undefined) return;
    const refusal = await parts.writer.write('publishFeed', snapshot);
    if (isRefusal(refusal)) throw new Fault(refusal.message);
  };

  /** @param isDue whether an epoch has begun, for which only one node computes the snapshot */
  const rebuild = async (isDue: boolean) => {
    try {
      const now = clock.now();
      const work = () => publish(now);
      const outcome = isDue ? await clockWork.once('feed', lastDue(now, epochMs()), work) : await work();
      isHeld = outcome === 'held';
      await cache.get();
      if (!isHeld) currentAt = now;
      problem = undefined;
    } catch (error) {
      problem = faultOf(error);
      log.error('the threat feed could not be rebuilt; the last good one is served', { fault: problem });
    }
  };

  const scheduleNext = () => {
    clearTimeout(timer);
    if (stopped) return;
    const toBoundaryMs = epochMs() - (clock.now() % epochMs());
    const retryMs = isHeld ? RECHECK_MS : RETRY_MS;
    const delayMs = isHeld || problem !== undefined ? Math.min(retryMs, toBoundaryMs) : toBoundaryMs;
    dueAtMs = isHeld ? dueAtMs : clock.monotonic() + delayMs;
    timer = setTimeout(rebuildInTurn, delayMs);
  };
  const rebuildInTurn = (isDue = true) => turns.take(() => rebuild(isDue).then(scheduleNext));

  let first: Promise<void> | undefined = rebuildInTurn().then(() => {
    first = undefined;
  });
  const atStart = async (rebuilt: Promise<void>) => (await cache.get()) ?? rebuilt.then(() => cache.get());
  return {
    current: () => (first === undefined ? cache.get() : atStart(first)),
    ageSeconds: () => Math.max(0, Math.floor((clock.now() - currentAt) / SECOND_MS)),
    get problem() {
      return problem;
    },
    isLate: () => clock.monotonic() - dueAtMs > REBUILD_MS_MAX,
    retune(next) {
      tuning = next;
      clearTimeout(timer);
      dueAtMs = Math.min(dueAtMs, clock.monotonic());
      void rebuildInTurn(false);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      return turns.take(async () => {});
    },
  };
}

const FEED_HEADERS = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'private, no-cache',
};

/** The feed as JSON text. The entries are stored as text already. */
const feedText = ({ epoch, generatedAt, entries }: FeedSnapshot): string =>
  `{"success":true,"data":{"status":"ENABLED","epoch":${epoch},` +
  `"generated_at":"${iso(generatedAt)}","entries":${entries}}}`;
