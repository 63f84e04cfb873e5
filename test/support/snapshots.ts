import { prepareImport } from '../../src/operator/import-vulnerabilities.ts';
import { openSnapshot, type Snapshot } from '../../src/storage/mirror/open-snapshot.ts';
import type { SourceChange } from '../../src/storage/mirror/snapshot-changes.ts';
import { snapshotPath } from '../../src/storage/mirror/snapshot-files.ts';
import { FEEDS_NOW, feedFile } from './feeds.ts';

export interface MadeSnapshot extends Snapshot {
  readonly path: string;
  readonly changes: readonly SourceChange[];
}

/** Builds a snapshot of feeds with these contents, over another or none, and opens it. */
export async function makeSnapshot(
  directory: string,
  contents: readonly unknown[],
  { base = null, nowMs = FEEDS_NOW }: { base?: string | null; nowMs?: number } = {},
): Promise<MadeSnapshot> {
  const feeds = contents.map((content) => ({ path: feedFile(content) }));
  const prepared = await prepareImport({ directory, base, feeds, force: true, nowMs });
  if ('refused' in prepared) throw new Error(prepared.refused);
  const id = prepared.snapshot.keep();
  const path = snapshotPath(directory, id);
  return { ...openSnapshot(path, id), path, changes: prepared.snapshot.changes };
}

/** The records of a snapshot for each of these names; undefined = none. Numbers are valid in one snapshot only. */
export const knownAs = (snapshot: Snapshot, name: string) => {
  const number = snapshot.find(name);
  return number === undefined ? undefined : snapshot.get(number);
};
