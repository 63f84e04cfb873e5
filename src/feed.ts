import type { CorroborationRule } from './domain/corroboration.ts';
import type { FeedSnapshot } from './domain/feed.ts';
import { isRefusal } from './domain/refusal.ts';
import { type Representations, represent } from './http/representations.ts';
import { type Clock, iso } from './lib/clock.ts';
import { Fault, faultOf } from './lib/fault.ts';
import { GenerationCache } from './lib/generation-cache.ts';
import type { Log } from './lib/log.ts';
import type { FeedTerms } from './storage/feed-snapshots.ts';
import type { Writer } from './storage/writer.ts';

/** The feed as readers and operators see it. */
export interface Feed {
  /** From memory while it has not changed; undefined before the first snapshot. */
  current(): Representations | undefined | Promise<Representations | undefined>;
  /** Whole seconds since the content was last found to be right. */
  ageSeconds(): number;
  /** Why the last rebuild failed; undefined when it did not. */
  readonly problem: string | undefined;
  stop(): void;
}

export interface FeedParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly writer: Pick<Writer, 'write'>;
  readonly epochSeconds: number;
  readonly rule: CorroborationRule;
  /** Changes with every published snapshot, whichever process published it. */
  readonly generation: () => number;
  readonly read: () => FeedSnapshot | undefined;
  /** Computes the next snapshot beside the requests; undefined when nothing changed. */
  readonly compute: (terms: FeedTerms) => Promise<FeedSnapshot | undefined>;
}

const RETRY_MS = 5_000;

/** Publishes the feed at each epoch boundary, and once at the start; a failure keeps the last good one and is tried again soon. */
export async function startFeed(parts: FeedParts): Promise<Feed> {
  const { clock, log, epochSeconds, rule } = parts;
  const cache = new GenerationCache(parts.generation, async () => {
    const snapshot = parts.read();
    return snapshot && represent(feedText(snapshot), FEED_HEADERS);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  let problem: string | undefined;
  let rightAt = parts.read()?.generatedAt ?? clock.now();

  const rebuild = async () => {
    try {
      const now = clock.now();
      const snapshot = await parts.compute({ rule, epochSeconds, now });
      if (snapshot) {
        const refusal = await parts.writer.write('publishFeed', snapshot);
        if (isRefusal(refusal)) throw new Fault(refusal.message);
      }
      await cache.get();
      rightAt = now;
      problem = undefined;
    } catch (error) {
      problem = faultOf(error);
      log.error('the feed could not be rebuilt; the last good one is served', { fault: problem });
    }
  };

  const scheduleNext = () => {
    if (stopped) return;
    const epochMs = epochSeconds * 1_000;
    const toBoundaryMs = epochMs - (clock.now() % epochMs);
    const delayMs = problem === undefined ? toBoundaryMs : Math.min(RETRY_MS, toBoundaryMs);
    timer = setTimeout(() => rebuild().then(scheduleNext), delayMs);
  };

  await rebuild();
  scheduleNext();
  return {
    current: () => cache.get(),
    ageSeconds: () => Math.max(0, Math.floor((clock.now() - rightAt) / 1_000)),
    get problem() {
      return problem;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const FEED_HEADERS = {
  'content-type': 'application/json;charset=utf-8',
  'cache-control': 'private, no-cache',
};

/** The feed's JSON text; the entries are already text. */
const feedText = ({ epoch, generatedAt, entries }: FeedSnapshot): string =>
  `{"success":true,"data":{"status":"ENABLED","epoch":${epoch},` +
  `"generated_at":"${iso(generatedAt)}","entries":${entries}}}`;
