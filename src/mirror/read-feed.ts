import type { FeedFact, FeedFormat, FeedSummary } from './facts.ts';
import { FeedRefused } from './feed-refused.ts';
import { FeedTally } from './feed-tally.ts';
import { documentsOf } from './files/documents.ts';
import { Expansion } from './files/expansion.ts';
import { digestOf, type FeedFile, openFeedFile } from './files/feed-file.ts';
import { FEED_LIMITS, type FeedLimits } from './limits.ts';
import { Documents } from './read-documents.ts';

export interface FeedProgress {
  /** The whole file is checked before it is read. */
  readonly phase: 'checking' | 'reading';
  /** Bytes so far in this phase: of the file while checking, expanded while reading. */
  readonly bytes: number;
  readonly records: number;
  readonly refused: number;
}

export interface FeedOptions {
  /** Wall clock, in milliseconds since the Unix epoch. Records dated more than a day later are refused. */
  readonly nowMs: number;
  /** Reads the feed as this format without recognition. */
  readonly format?: FeedFormat | undefined;
  /** Replaces the name of the source. */
  readonly source?: string | undefined;
  /** Required SHA-256 of the file, in hexadecimal; other files are refused. */
  readonly sha256?: string | undefined;
  /** Called at most twice a second, and at the end. */
  readonly onProgress?: ((progress: FeedProgress) => void) | undefined;
  readonly limits?: FeedLimits | undefined;
}

/** Receives facts in the order of the feed; reading continues when its promise resolves. */
export type UseFacts = (facts: readonly FeedFact[]) => void | Promise<void>;

const PROGRESS_MS = 500;
/** Minimum number of facts per call, except the last. */
const BATCH = 500;

/**
 * Reads a vulnerability feed from a file: OSV, Wordfence Intelligence, CVE JSON 5, the catalogues of exploited vulnerabilities of
 * CISA and ENISA, EPSS, or VEX (CSAF 2.0, OpenVEX); plain, as gzip, or as zip with one or many members. Keeps one record in
 * memory at a time.
 *
 * @param use receives facts while reading. If the promise rejects, the caller must discard all of them.
 * @throws FeedRefused if the whole file is untrusted or unusable; the message says what to do
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
  const { report, end } = progressOf(options, tally);

  const sha256 = digestOf(file, (bytes) => report('checking', bytes));
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
      report('reading', expansion.expandedBytes);
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
  let reportedAt = performance.now();
  const call = (phase: FeedProgress['phase'], bytes: number) =>
    onProgress?.({ phase, bytes, records: tally.records, refused: tally.refused });
  return {
    report(phase: FeedProgress['phase'], bytes: number) {
      const at = performance.now();
      if (at - reportedAt < PROGRESS_MS) return;
      reportedAt = at;
      call(phase, bytes);
    },
    end: (bytes: number) => call('reading', bytes),
  };
}
