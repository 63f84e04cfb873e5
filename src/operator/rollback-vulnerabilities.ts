import { DatabaseUnusable } from '../storage/engine/database.ts';
import { verifySnapshot } from '../storage/mirror/snapshot-files.ts';
import { type MirrorState, snapshotBefore } from '../storage/mirror-state.ts';
import { type Act, type ActOutcome, audited } from './act.ts';

/** Plans to take the snapshot into use again that was imported before the one in use. */
export function rollBackVulnerabilities(directory: string, state: MirrorState, act: Act): ActOutcome {
  const { current: from, kept } = state;
  const current = snapshotBefore(state);
  if (current === undefined)
    return {
      refused: 'there is no earlier vulnerability data: only what the last three imports made is kept',
    };
  try {
    verifySnapshot(directory, current);
  } catch (error) {
    if (error instanceof DatabaseUnusable) return { refused: error.message };
    throw error;
  }
  return audited(
    act,
    'mirror.rollback',
    'mirror',
    [{ name: 'switchMirror', input: { from, current, kept } }],
    {
      before: { snapshot: from },
      after: { snapshot: current },
    },
  );
}
