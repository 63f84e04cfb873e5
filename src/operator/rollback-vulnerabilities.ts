import { DatabaseUnusable } from '../storage/engine/database.ts';
import { type SnapshotId, verifySnapshot } from '../storage/mirror/snapshot-files.ts';
import { type MirrorState, snapshotsBefore } from '../storage/vulnerabilities/mirror-state.ts';
import { type Act, type ActOutcome, audited } from './act.ts';

/** Plans to use the snapshot again that was imported before the current one. Damaged ones are skipped and deleted. */
export function rollBackVulnerabilities(directory: string, state: MirrorState, act: Act): ActOutcome {
  const { current: from } = state;
  const damaged = new Map<SnapshotId, string>();
  for (const { id } of snapshotsBefore(state)) {
    const problem = problemOf(directory, id);
    if (problem !== undefined) {
      damaged.set(id, problem);
      continue;
    }
    const kept = state.kept.filter((one) => !damaged.has(one.id));
    const job = { name: 'switchMirror', input: { from, current: id, kept } } as const;
    return {
      ...audited(act, 'mirror.rollback', 'mirror', [job], {
        before: { snapshot: from },
        after: { snapshot: id },
      }),
      notices: [...damaged.values()].map((problem) => `${problem}. It was skipped`),
    };
  }
  const [problem = 'there is no earlier vulnerability data. Only the last three imports are stored'] =
    damaged.values();
  return { refused: problem };
}

/** What is the matter with a snapshot; undefined = nothing. */
function problemOf(directory: string, id: SnapshotId): string | undefined {
  try {
    verifySnapshot(directory, id);
    return undefined;
  } catch (error) {
    if (error instanceof DatabaseUnusable) return error.message;
    throw error;
  }
}
