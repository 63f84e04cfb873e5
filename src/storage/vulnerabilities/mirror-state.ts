import { Fault } from '../../lib/fault.ts';
import type { Database } from '../engine/database.ts';
import { lazily } from '../engine/lazily.ts';
import { mirror } from './tables.ts';

const ONLY_ROW = 1;
const SNAPSHOTS_KEPT = 3;

/** A retained snapshot of the mirror, in use or for a rollback. */
export interface KeptSnapshot {
  /** 16 hex digits, which are in the name of its file. */
  readonly id: string;
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
}

/** The snapshots of the mirror. */
export interface MirrorState {
  /** The id of the one in use, one of the retained ones; null = none. */
  readonly current: string | null;
  /** The newest import first. */
  readonly kept: readonly KeptSnapshot[];
}

/** A change from one snapshot to another. */
export interface MirrorSwitch extends MirrorState {
  /** Which one was in use when the change was planned. */
  readonly from: string | null;
}

const NOTHING: MirrorState = { current: null, kept: [] };

const prepareState = (db: Database) => {
  const { current, kept } = mirror;
  const only = lazily(() => db.select({ current, kept }).from(mirror).prepare());
  return async (): Promise<MirrorState> => (await only.get()) ?? NOTHING;
};

export function mirrorJobs(db: Database) {
  const state = prepareState(db);

  return {
    /**
     * Switches to another snapshot.
     *
     * @throws Fault when `from` is no longer in use, so that of two simultaneous imports none is lost
     */
    async switchMirror({ from, current, kept }: MirrorSwitch): Promise<void> {
      if ((await state()).current !== from) {
        throw new Fault(
          'nothing was changed, because another command changed the vulnerability data in the meantime. Run this again',
        );
      }
      await db
        .insert(mirror)
        .values({ id: ONLY_ROW, current, kept })
        .onConflictDoUpdate({ target: mirror.id, set: { current, kept } })
        .run();
    },
  };
}

/** Reads which snapshots there are. */
export function readMirrorState(db: Database): () => Promise<MirrorState> {
  const state = prepareState(db);
  return async () => state();
}

/**
 * The snapshots to retain after an import: the new one, the previous one, and older ones. The one that the operator had rolled
 * back from is removed, so that the next rollback never leads there.
 *
 * @param isReplacement whether its content is unchanged: the previous one is removed, because a rollback to it would change
 *   nothing
 * @param keptMax how many to retain, at least 1
 */
export function withImported(
  { current, kept }: MirrorState,
  imported: KeptSnapshot,
  isReplacement = false,
  keptMax = SNAPSHOTS_KEPT,
): KeptSnapshot[] {
  const inUse = kept.findIndex(({ id }) => id === current);
  const before = kept
    .slice(Math.max(inUse, 0))
    .filter(({ id }) => id !== imported.id && !(isReplacement && id === current));
  return [imported, ...before].slice(0, keptMax);
}

/** The targets of a rollback: snapshots imported before the one in use, newest first. */
export function snapshotsBefore({ current, kept }: MirrorState): readonly KeptSnapshot[] {
  const inUse = kept.findIndex(({ id }) => id === current);
  return inUse < 0 ? [] : kept.slice(inUse + 1);
}
