import { DatabaseSync } from 'node:sqlite';
import type { FeedFact, FeedSummary } from '../../mirror/facts.ts';
import { joinSnapshot } from './join-snapshot.ts';
import { keepRefused } from './keep-refused.ts';
import { copySources, idsBehind, settleSources } from './merge-base.ts';
import { changesOf, countRecords, type SourceChange } from './snapshot-changes.ts';
import {
  beginSnapshot,
  discardPartial,
  keepSnapshot,
  type SnapshotId,
  snapshotPath,
  snapshotUri,
} from './snapshot-files.ts';
import { SNAPSHOT_INDEXES, SNAPSHOT_TABLES, SNAPSHOT_VERSION } from './snapshot-tables.ts';
import { FactStage } from './stage-facts.ts';

/** Collects the facts of feeds. */
export interface SnapshotBuilder {
  /** Adds facts of the current file. */
  put(facts: readonly FeedFact[]): void;
  /** Ends the current file and names its source. */
  endFile(summary: FeedSummary): void;
}

export interface SnapshotBuild {
  readonly directory: string;
  /** The snapshot to change; its other sources are copied. */
  readonly base: SnapshotId | null;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Reads the feeds into the builder. An error discards the snapshot. */
  readonly read: (builder: SnapshotBuilder) => Promise<void>;
  /** Called at intervals after all was read, with the number of vulnerabilities so far. */
  readonly onJoining?: ((vulnerabilities: number) => void) | undefined;
}

/** A snapshot without a name yet: keep or discard it. */
export interface UnkeptSnapshot {
  readonly path: string;
  readonly changes: readonly SourceChange[];
  /** Flushes it under its name; the main database must then name it. */
  keep(): SnapshotId;
  discard(): void;
}

const CACHE_KIB = 8 * 1024;

/**
 * Builds a snapshot from its base. Needs the lock of {@link lockSnapshots}. A crash leaves a partial file that the next build
 * removes.
 *
 * @throws the errors of `read` and of the disk; then no file is left
 */
export async function buildSnapshot(build: SnapshotBuild): Promise<UnkeptSnapshot> {
  const { directory } = build;
  const path = beginSnapshot(directory);
  try {
    return {
      path,
      changes: await fill(path, build),
      keep: () => keepSnapshot(directory),
      discard: () => discardPartial(directory),
    };
  } catch (error) {
    discardPartial(directory);
    throw error;
  }
}

async function fill(
  path: string,
  { directory, base, nowMs, read, onJoining = () => {} }: SnapshotBuild,
): Promise<readonly SourceChange[]> {
  const client = new DatabaseSync(path);
  try {
    // No other process reads the file, and an unfinished one is discarded: so it needs no journal, and only the last flush.
    client.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -${CACHE_KIB};
      PRAGMA user_version = ${SNAPSHOT_VERSION};
    `);
    const hasBase = base !== null;
    if (hasBase) client.prepare('attach ? as base').run(snapshotUri(snapshotPath(directory, base)));
    client.exec(SNAPSHOT_TABLES);
    client.exec('BEGIN');
    const stage = new FactStage(client, idsBehind(client, hasBase), nowMs);
    await read(stage);
    onJoining(0);
    if (hasBase) keepRefused(client);
    settleSources(client);
    countRecords(client, stage.sources);
    if (hasBase) copySources(client, stage.sources);
    onJoining(0);
    client.exec('insert into ecosystems select distinct ecosystem from affected');
    client.exec(SNAPSHOT_INDEXES);
    noteEpssMedians(client);
    onJoining(0);
    joinSnapshot(client, hasBase, nowMs, onJoining);
    client.exec('COMMIT');
    return changesOf(client, hasBase, stage.sources);
  } finally {
    client.close();
  }
}

/** Stores the median probability of each EPSS file; of two, the lower one. */
function noteEpssMedians(client: DatabaseSync): void {
  client.exec(`
    update sources set epss_median = (
      select probability from (
        select probability, row_number() over (order by probability) as place, count(*) over () as scores
        from epss where epss.source = sources.id
      ) where place = (scores + 1) / 2
    ) where format = 'epss'
  `);
}
