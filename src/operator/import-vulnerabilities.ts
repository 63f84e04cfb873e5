import { basename } from 'node:path';
import type { LicenseFindings } from '../domain/notification/finding-digests.ts';
import { Fault } from '../lib/fault.ts';
import type { FeedFormat, FeedSummary } from '../mirror/facts.ts';
import { FeedRefused } from '../mirror/feed-refused.ts';
import { type FeedProgress, readFeed } from '../mirror/read-feed.ts';
import { refuseBeside } from '../mirror/refuse-beside.ts';
import { DatabaseUnusable } from '../storage/engine/database.ts';
import type { Job } from '../storage/engine/jobs/jobs.ts';
import { troubleOf } from '../storage/engine/trouble.ts';
import {
  buildSnapshot,
  type SnapshotBuilder,
  type UnkeptSnapshot,
} from '../storage/mirror/build-snapshot.ts';
import { isUnchanged, type SourceChange } from '../storage/mirror/snapshot-changes.ts';
import { type SnapshotId, verifySnapshot } from '../storage/mirror/snapshot-files.ts';
import {
  type KeptSnapshot,
  type MirrorState,
  withImported,
} from '../storage/vulnerabilities/mirror-state.ts';
import { type Act, audited, type PlannedAct, type RefusedAct } from './act.ts';

/** A feed to import, and what is known of it beforehand. */
export interface WantedFeed {
  readonly path: string;
  readonly format?: FeedFormat | undefined;
  /** What to call its source in place of its own name. */
  readonly source?: string | undefined;
  /** What it must hash to, in hexadecimal. */
  readonly sha256?: string | undefined;
}

export interface ImportPlan {
  readonly directory: string;
  /** The snapshot in use; null = none. */
  readonly base: SnapshotId | null;
  readonly feeds: readonly WantedFeed[];
  /** Import even a feed with fewer or older records than the current one. */
  readonly force: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  readonly onProgress?: (feed: WantedFeed, progress: FeedProgress) => void;
  /** Called now and then once all is read, with the number of vulnerabilities so far. */
  readonly onJoining?: (vulnerabilities: number) => void;
}

/** A snapshot of the feeds, for the caller to keep or to discard. */
export interface PreparedImport {
  /** From which it was made; null also when the one in use was of no use. */
  readonly base: SnapshotId | null;
  readonly snapshot: UnkeptSnapshot;
  /** Of each file, in their order. */
  readonly summaries: readonly FeedSummary[];
  /** What the operator should know, in sentences. */
  readonly notices: readonly string[];
}

/** When more of the records are gone, or affect something else, it is no update but a mistake. */
const PERCENT_LOST_MAX = 20;

/**
 * Reads feeds into a snapshot beside the one in use. It needs the lock of `lockSnapshots`, and nothing of the main database:
 * it takes long.
 *
 * @throws DatabaseUnusable when the disk refuses
 */
export async function prepareImport(plan: ImportPlan): Promise<PreparedImport | RefusedAct> {
  const base = usableBase(plan);
  if ('refused' in base) return base;
  const summaries: FeedSummary[] = [];
  try {
    const snapshot = await buildSnapshot({
      directory: plan.directory,
      base: base.id,
      nowMs: plan.nowMs,
      onJoining: plan.onJoining,
      async read(builder) {
        for (const feed of plan.feeds) summaries.push(await readInto(builder, feed, plan, summaries));
      },
    });
    const doubts = plan.force ? [] : snapshot.changes.flatMap(doubtsAbout);
    if (doubts.length === 0) return { snapshot, base: base.id, summaries, notices: base.notices };
    snapshot.discard();
    return { refused: `${doubts.join('; ')}. If this is right, repeat the command with --force.` };
  } catch (error) {
    if (error instanceof FeedRefused) return { refused: error.message };
    const trouble = error instanceof Fault ? undefined : troubleOf(error);
    if (trouble === undefined) throw error;
    throw new DatabaseUnusable(`nothing was imported: ${trouble}`, { cause: error });
  }
}

type Base = { readonly id: SnapshotId | null; readonly notices: readonly string[] };

/** A snapshot in use that cannot be read would be lost silently, with the sources that are not read now. */
function usableBase({ directory, base, force }: ImportPlan): Base | RefusedAct {
  if (base === null) return { id: null, notices: [] };
  try {
    verifySnapshot(directory, base);
    return { id: base, notices: [] };
  } catch (error) {
    if (!(error instanceof DatabaseUnusable)) throw error;
    if (force)
      return { id: null, notices: [`${error.message}. Only the sources of these files are available now`] };
    return {
      refused: `${error.message}. Roll back (redoubt vulns rollback), or import all feeds with --force, which starts without that file.`,
    };
  }
}

async function readInto(
  builder: SnapshotBuilder,
  feed: WantedFeed,
  { nowMs, onProgress }: ImportPlan,
  before: readonly FeedSummary[],
): Promise<FeedSummary> {
  const { path, format, source, sha256 } = feed;
  const use = (facts: Parameters<SnapshotBuilder['put']>[0]) => builder.put(facts);
  try {
    const tell = onProgress && ((progress: FeedProgress) => onProgress(feed, progress));
    const summary = await readFeed(path, use, { nowMs, format, source, sha256, onProgress: tell });
    refuseBeside(summary, before);
    builder.endFile(summary);
    return summary;
  } catch (error) {
    if (!(error instanceof FeedRefused)) throw error;
    throw new FeedRefused(error.why, `${basename(path)}: ${error.message}`);
  }
}

function doubtsAbout({ after, before, gone, altered }: SourceChange): string[] {
  if (before === null) return [];
  const doubts: string[] = [];
  if (after.format !== before.format)
    doubts.push(`${after.name} has the format ${before.format}, but this file has ${after.format}`);
  if (100 * (gone + altered) > PERCENT_LOST_MAX * before.records)
    doubts.push(
      `${after.name} lacks ${gone} of its ${before.records} records and alters ${altered}, in total more than ${PERCENT_LOST_MAX} %`,
    );
  if (after.publishedAt !== null && before.publishedAt !== null && after.publishedAt < before.publishedAt)
    doubts.push(
      `${after.name} is from ${day(after.publishedAt)}, older than the imported data from ${day(before.publishedAt)}`,
    );
  return doubts;
}

const day = (moment: number): string => new Date(moment).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Plans to use an imported snapshot. One without changes replaces the one in use.
 *
 * @param state as it is in the transaction
 * @param from the snapshot that it was made from
 * @param findings what it changes for sites; empty where no target wants to receive that
 */
export function useImport(
  state: MirrorState,
  from: SnapshotId | null,
  imported: KeptSnapshot,
  changes: readonly SourceChange[],
  findings: readonly LicenseFindings[],
  act: Act,
): PlannedAct {
  const kept = withImported(state, imported, changes.every(isUnchanged));
  const switched = { from, current: imported.id, kept };
  const jobs: Job[] = [{ name: 'switchMirror', input: switched }];
  if (findings.length > 0) {
    const input = { licenses: findings, snapshot: imported.id, now: act.now };
    jobs.push({ name: 'digestImport', input });
  }
  return audited(act, 'mirror.import', 'mirror', jobs, {
    before: { snapshot: from },
    after: {
      snapshot: imported.id,
      sources: changes.map(({ after }) => `${after.name} ${after.records} ${after.sha256.slice(0, 16)}`),
    },
  });
}
