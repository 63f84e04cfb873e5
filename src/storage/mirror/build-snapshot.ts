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

/** Takes what feeds say. */
export interface SnapshotBuilder {
  /** Takes facts of the file that is being read. */
  put(facts: readonly FeedFact[]): void;
  /** Tells that the file is over, and whose it is. */
  endFile(summary: FeedSummary): void;
}

export interface SnapshotBuild {
  readonly directory: string;
  /** The snapshot to change; its sources that are not read are taken over. */
  readonly base: SnapshotId | null;
  /** Milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** Reads the feeds into the builder. What it throws undoes all. */
  readonly read: (builder: SnapshotBuilder) => Promise<void>;
  /** Called now and then once all is read, with the number of vulnerabilities so far. */
  readonly onJoining?: ((vulnerabilities: number) => void) | undefined;
}

/** A snapshot that has no name yet: it is to be kept or discarded. */
export interface UnkeptSnapshot {
  readonly path: string;
  readonly changes: readonly SourceChange[];
  /** Brings it to disk under its name; the main database has to name it then. */
  keep(): SnapshotId;
  discard(): void;
}

const CACHE_KIB = 8 * 1024;

/**
 * Makes a snapshot beside its base. Needs the lock of {@link lockSnapshots}. A crash leaves a partial file that the next build
 * removes.
 *
 * @throws whatever `read` throws, and what the disk refuses; then nothing is left
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
    // Nobody else sees the file, and one that is not finished is thrown away: so it needs no journal, and no flush but the last.
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

/** The probability in the middle of each file of EPSS; of two, the lower one. */
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
