import type { FeedFact, FeedFormat, FeedSummary } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';
import { FeedTally } from './feed-tally.ts';
import { documentsOf } from './files/documents.ts';
import { Expansion } from './files/expansion.ts';
import { digestOf, type FeedFile, openFeedFile } from './files/feed-file.ts';
import { FEED_LIMITS, type FeedLimits } from './limits.ts';
import { Documents } from './read-documents.ts';

/** How far a feed was read. */
export interface FeedProgress {
  /** First the whole file is checked, then it is read. */
  readonly phase: 'checking' | 'reading';
  /** Bytes done in this phase: of the file while checking, expanded ones while reading. */
  readonly bytes: number;
  readonly records: number;
  readonly refused: number;
}

export interface FeedOptions {
  /** The wall clock, in milliseconds since the Unix epoch: what is dated more than a day ahead of it is refused. */
  readonly nowMs: number;
  /** Reads the feed as this format without recognition. */
  readonly format?: FeedFormat | undefined;
  /** What to call the source in place of its own name. */
  readonly source?: string | undefined;
  /** The required hash of the file, in hexadecimal; another file is not read. */
  readonly sha256?: string | undefined;
  /** Called at most twice a second, and at the end. */
  readonly onProgress?: ((progress: FeedProgress) => void) | undefined;
  readonly limits?: FeedLimits | undefined;
}

/** Takes facts in the order of the feed; the next are read when its promise is fulfilled. */
export type UseFacts = (facts: readonly FeedFact[]) => void | Promise<void>;

const PROGRESS_MS = 500;
/** Facts that are handed over together, at least: but for the last. */
const BATCH = 500;

/**
 * Reads a feed of vulnerabilities from a file: OSV, Wordfence Intelligence, CVE JSON 5, the catalogues of exploited vulnerabilities
 * of CISA and ENISA, EPSS, or VEX (CSAF 2.0, OpenVEX); plain, as gzip, or as zip of one or many members. Holds a record at a time, never the whole.
 *
 * @param use gets facts as they are read. When the promise is rejected, all that it got is void.
 * @throws FeedRefused when the file as a whole cannot be trusted or used; its message says what to do
 */
export async function readFeed(path: string, use: UseFacts, options: FeedOptions): Promise<FeedSummary> {
  const file = openFeedFile(path);
  try {
    return await read(file, use, options);
  } finally {
    file.close();
  }
}

async function read(file: FeedFile, use: UseFacts, options: FeedOptions): Promise<FeedSummary> {
  const { nowMs, limits = FEED_LIMITS } = options;
  const tally = new FeedTally(limits, nowMs);
  const expansion = new Expansion(limits);
  const { tell, end } = progressOf(options, tally);

  const sha256 = digestOf(file, (bytes) => tell('checking', bytes));
  if (options.sha256 !== undefined && options.sha256.toLowerCase() !== sha256)
    throw new FeedRefused(
      'other_content',
      'The SHA-256 of the file differs from the one given. Do not use it.',
    );

  const documents = new Documents(options, tally, limits);
  for (const chunks of documentsOf(file, limits, expansion)) {
    documents.begin();
    for await (const chunk of chunks) {
      documents.push(chunk);
      tell('reading', expansion.expandedBytes);
      if (tally.waiting >= BATCH) await use(tally.take());
    }
    documents.end();
  }
  const { format, source } = documents.finish();
  file.assertUnchanged();
  if (tally.waiting > 0) await use(tally.take());
  end(expansion.expandedBytes);
  const { records, withdrawn, skipped, refused, refusals } = tally;
  const counts = { records, withdrawn, skipped, refused, refusals };
  return { ...source, ...counts, format, sha256, bytes: file.bytes, expandedBytes: expansion.expandedBytes };
}

function progressOf({ onProgress }: FeedOptions, tally: FeedTally) {
  let toldAt = performance.now();
  const say = (phase: FeedProgress['phase'], bytes: number) =>
    onProgress?.({ phase, bytes, records: tally.records, refused: tally.refused });
  return {
    tell(phase: FeedProgress['phase'], bytes: number) {
      const at = performance.now();
      if (at - toldAt < PROGRESS_MS) return;
      toldAt = at;
      say(phase, bytes);
    },
    end: (bytes: number) => say('reading', bytes),
  };
}
