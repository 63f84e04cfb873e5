import { isRefusal, type Refusal, refuse } from '../domain/refusal.ts';
import type { VulnerabilityData } from '../domain/vulnerability/known.ts';
import { type After, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import { GenerationCache } from '../lib/generation-cache.ts';
import type { Log } from '../lib/log.ts';
import { Turns } from '../lib/turns.ts';
import { isAway } from '../storage/engine/database.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import type { SnapshotSource } from '../storage/mirror/snapshot-sources.ts';
import type { ExploitationAssertion } from '../storage/vulnerabilities/assertions.ts';
import type { MirrorState } from '../storage/vulnerabilities/mirror-state.ts';

/** The vulnerability data in use. Valid for one minute; after that its file may be closed. */
export interface MirrorInUse {
  readonly snapshotId: string;
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
  /** Sorted by name. */
  readonly sources: readonly SnapshotSource[];
  /** Throws {@link mirrorEmpty} if it becomes unreadable. */
  readonly data: VulnerabilityData;
  /** The operator's assertions about exploitation, by the name of the vulnerability. */
  readonly assertions: ReadonlyMap<string, ExploitationAssertion>;
}

/** The imported vulnerability data for readers and operators. */
export interface Mirror {
  /** From memory until it changes; undefined if nothing is imported or the data cannot be read. */
  current(): MirrorInUse | undefined | Promise<MirrorInUse | undefined>;
  /** Runs a query for an answer that can do without it; undefined if there is no data or it turns out to be damaged. */
  ask<Value>(question: (mirror: MirrorInUse) => Promise<Value>): Promise<Value | undefined>;
  /** Whether the imported data cannot be read. */
  readonly isBroken: boolean;
  stop(): void;
}

export interface MirrorParts {
  readonly log: Log;
  readonly after: After;
  /** Changes with each import, rollback and assertion, from any process. */
  readonly generation: () => number;
  readonly readState: () => Promise<MirrorState>;
  readonly readAssertions: () => Promise<ReadonlyMap<string, ExploitationAssertion>>;
  /** Opens a snapshot by its ID; throws if it cannot be read. */
  readonly open: (id: string) => Promise<Snapshot>;
  /** Identifies the last write to a snapshot; undefined = the file is missing. */
  readonly writtenAt: (id: string) => string | undefined;
}

/** Longer than any request takes. */
const CLOSE_AFTER_MS = MINUTE_MS;

/** The refusal of requests that need the data. */
export const mirrorEmpty = (): Refusal =>
  refuse(
    'MIRROR_EMPTY',
    'The vulnerability data cannot be read. The operator has to import it.',
    HOUR_MS / SECOND_MS,
  );

const isMirrorEmpty = (error: unknown): boolean => isRefusal(error) && error.refused === 'MIRROR_EMPTY';

/**
 * Uses each import from the next request on: opens the new file, and closes the old one after its last reader. A file that is
 * damaged, even while in use, is not read again until it is replaced.
 */
export function startMirror(parts: MirrorParts): Mirror {
  const { log, after, readState, readAssertions, open, writtenAt } = parts;
  let snapshot: Snapshot | undefined;
  /** The ID of the unreadable snapshot. */
  let broken: string | undefined;
  /** The last write to the snapshot in use. */
  let written: string | undefined;
  /** The last detected write, so that concurrent requests reload the snapshot only once. */
  let noticed: string | undefined;
  let writes = 0;
  let isStopped = false;
  /** Replaced snapshots, with functions that cancel their timers. */
  const closing = new Map<Snapshot, () => void>();

  const closeLater = (old: Snapshot) => {
    const cancel = after(CLOSE_AFTER_MS, () => {
      closing.delete(old);
      old.close();
    });
    closing.set(old, cancel);
  };

  const markBroken = (id: string, error: unknown) => {
    if (broken === id) return;
    broken = id;
    log.error(
      'the vulnerability data cannot be read; no lookups until "redoubt vulns import" or "redoubt vulns rollback"',
      { fault: faultOf(error) },
    );
  };

  const watched = (opened: Snapshot): VulnerabilityData => {
    const ask =
      <Args extends unknown[], Answer>(question: (...args: Args) => Answer) =>
      (...args: Args): Answer => {
        try {
          return question(...args);
        } catch (error) {
          if (snapshot === opened) markBroken(opened.id, error);
          throw mirrorEmpty();
        }
      };
    return {
      hasDataOf: opened.hasDataOf,
      recordsOf: ask(opened.recordsOf),
      get: ask(opened.get),
      find: ask(opened.find),
      affectedBy: ask(opened.affectedBy),
      statementsOn: ask(opened.statementsOn),
    };
  };

  const opened = async (id: string): Promise<Snapshot | undefined> => {
    // A file that was removed can still be read while it is open.
    const at = writtenAt(id) ?? written;
    if (id === broken && at === written) return undefined;
    if (id === snapshot?.id && id !== broken && at === written) return snapshot;
    try {
      const next = await open(id);
      broken = undefined;
      return next;
    } catch (error) {
      // The snapshot is fetched from PostgreSQL, which must be asked again later.
      if (isAway(error)) throw error;
      markBroken(id, error);
      return undefined;
    } finally {
      written = at;
    }
  };

  const load = async (): Promise<MirrorInUse | undefined> => {
    const { current, kept } = await readState();
    const assertions = await readAssertions();
    if (isStopped) return undefined;
    const previous = snapshot;
    const next = current === null ? undefined : await opened(current);
    if (isStopped) {
      if (next !== previous) next?.close();
      return undefined;
    }
    if (current === null) broken = undefined;
    if (previous !== undefined && previous !== next) closeLater(previous);
    snapshot = next;
    if (next === undefined) return undefined;
    return {
      snapshotId: next.id,
      importedAt: kept.find(({ id }) => id === next.id)?.importedAt ?? 0,
      sources: next.sources,
      data: watched(next),
      assertions,
    };
  };
  // Loads run one after another; otherwise one with older state could replace a newer snapshot.
  const turns = new Turns();
  const cache = new GenerationCache(
    () => parts.generation() + writes,
    () => turns.take(load),
  );

  const isSound = (found: MirrorInUse | undefined) => (found?.snapshotId === broken ? undefined : found);
  const current = () => {
    const at = snapshot && writtenAt(snapshot.id);
    if (at !== undefined && at !== written && at !== noticed) {
      noticed = at;
      writes += 1;
    }
    const found = cache.get();
    return found instanceof Promise ? found.then(isSound) : isSound(found);
  };

  return {
    current,
    async ask(question) {
      try {
        const found = await current();
        return found && (await question(found));
      } catch (error) {
        if (isMirrorEmpty(error)) return undefined;
        throw error;
      }
    },
    get isBroken() {
      return broken !== undefined;
    },
    stop() {
      isStopped = true;
      for (const [old, cancel] of closing) {
        cancel();
        old.close();
      }
      closing.clear();
      snapshot?.close();
      snapshot = undefined;
    },
  };
}
