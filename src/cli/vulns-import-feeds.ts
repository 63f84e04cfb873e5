import type { LicenseFindings } from '../domain/notification/finding-digests.ts';
import type { FeedSummary } from '../mirror/facts.ts';
import { type Act, unchanged } from '../operator/act.ts';
import { type ConcernedComponents, concernedComponents } from '../operator/concerned-components.ts';
import {
  type PreparedImport,
  prepareImport,
  useImport,
  type WantedFeed,
} from '../operator/import-vulnerabilities.ts';
import { importedFindings } from '../operator/imported-findings.ts';
import { lockSnapshots } from '../storage/engine/data-directory.ts';
import { openSnapshot } from '../storage/mirror/open-snapshot.ts';
import { type SharedSnapshots, sharedSnapshots } from '../storage/mirror/shared-snapshots.ts';
import { isTheSame, type SourceChange } from '../storage/mirror/snapshot-changes.ts';
import type { SnapshotId } from '../storage/mirror/snapshot-files.ts';
import { readFindingsWanted } from '../storage/notifications/on-findings.ts';
import { readMirrorState } from '../storage/vulnerabilities/mirror-state.ts';
import { CommandRefused, tell } from '../terminal/output.ts';
import type { Store } from '../terminal/store.ts';
import { importProgress } from './vulns-progress.ts';
import { withSnapshot } from './vulns-snapshot.ts';

export interface WantedImport {
  readonly directory: string;
  readonly feeds: readonly WantedFeed[];
  /** Import even what is fewer or older than what is there. */
  readonly force: boolean;
  /** Tell what would change, and change nothing. */
  readonly dryRun: boolean;
  readonly act: Act;
}

export interface Imported {
  /** The one that is in use now; null = it was a dry run. */
  readonly snapshot: SnapshotId | null;
  readonly changes: readonly SourceChange[];
  readonly summaries: readonly FeedSummary[];
  readonly notices: readonly string[];
  /** What it would mean for the sites of this installation; null when it was not asked. */
  readonly concerned: ConcernedComponents | null;
}

/**
 * Imports feeds, with or without a running server: the data is built, checked and on disk before anything is changed. Unused
 * files are removed, including those of a killed import.
 *
 * @throws CommandRefused, DatabaseUnusable, DataDirectoryUnusable
 */
export async function importFeeds(store: Store, wanted: WantedImport): Promise<Imported> {
  const { directory, feeds, force, act } = wanted;
  const release = lockSnapshots(directory);
  const state = readMirrorState(store.db);
  const files = sharedSnapshots(store.db, directory);
  try {
    const { current } = await state();
    if (current !== null) await files.fetch(current);
    const prepared = await prepareImport({
      directory,
      base: current,
      feeds,
      force,
      nowMs: act.now,
      ...importProgress(tell),
    });
    if ('refused' in prepared) throw new CommandRefused(prepared.refused);
    try {
      return await used(store, files, wanted, current, prepared);
    } finally {
      prepared.snapshot.discard();
    }
  } finally {
    try {
      await files.prune((await state()).kept.map(({ id }) => id));
    } finally {
      release();
    }
  }
}

async function used(
  store: Store,
  files: SharedSnapshots,
  { directory, dryRun, act }: WantedImport,
  current: SnapshotId | null,
  { snapshot, base, summaries, notices }: PreparedImport,
): Promise<Imported> {
  const told = { changes: snapshot.changes, summaries, notices };
  if (dryRun) {
    const concerned = await withSnapshot(directory, base, async (before) => {
      const after = openSnapshot(snapshot.path, 'unfinished');
      return concernedComponents(store.db, before, after).finally(after.close);
    });
    return { ...told, snapshot: null, concerned };
  }
  if (base !== null && snapshot.changes.every(isTheSame)) {
    await store.act(() => unchanged('these files are already imported'));
    return { ...told, snapshot: base, concerned: null };
  }
  const id = snapshot.keep();
  await files.share(id);
  const imported = { id, importedAt: act.now };
  const state = readMirrorState(store.db);
  const findings = await findingsOf(store, directory, base, id);
  await store.act(async () => useImport(await state(), current, imported, snapshot.changes, findings, act));
  return { ...told, snapshot: id, concerned: null };
}

/** The findings for notifications of sites; nothing is computed unless a target wants them. */
async function findingsOf(
  { db }: Store,
  directory: string,
  base: SnapshotId | null,
  imported: SnapshotId,
): Promise<LicenseFindings[]> {
  if (!(await readFindingsWanted(db)())) return [];
  return withSnapshot(directory, base, (before) =>
    withSnapshot(directory, imported, async (after) =>
      after === null ? [] : importedFindings(db, before, after),
    ),
  );
}
