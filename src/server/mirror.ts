import { systemAfter } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/engine/database.ts';
import { removeAbandonedFetches, sharedSnapshots } from '../storage/mirror/shared-snapshots.ts';
import { snapshotPath, writtenAt } from '../storage/mirror/snapshot-files.ts';
import { readAssertions } from '../storage/vulnerabilities/assertions.ts';
import { readMirrorState } from '../storage/vulnerabilities/mirror-state.ts';
import { type Mirror, startMirror } from '../tasks/mirror.ts';

interface OpenMirrorParts {
  readonly db: Database;
  readonly dataDir: string;
  readonly log: Log;
  /** Changes with every import, rollback and assertion. */
  readonly generation: () => number;
}

/** Opens the imported vulnerability data, and removes what fetches left that did not end. */
export async function openMirror(
  closing: AsyncDisposableStack,
  { db, dataDir, log, generation }: OpenMirrorParts,
): Promise<Mirror> {
  removeAbandonedFetches(dataDir);
  const mirror = closing.adopt(
    startMirror({
      log,
      after: systemAfter,
      generation,
      readState: readMirrorState(db),
      readAssertions: readAssertions(db),
      open: sharedSnapshots(db, dataDir).open,
      writtenAt: (id) => writtenAt(snapshotPath(dataDir, id)),
    }),
    ({ stop }) => stop(),
  );
  await mirror.current();
  return mirror;
}
