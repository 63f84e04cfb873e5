import type { VulnerabilityData } from '../domain/vulnerability/known.ts';
import { type After, MINUTE_MS } from '../lib/clock.ts';
import { faultOf } from '../lib/fault.ts';
import { GenerationCache } from '../lib/generation-cache.ts';
import type { Log } from '../lib/log.ts';
import { Turns } from '../lib/turns.ts';
import type { ExploitationAssertion } from '../storage/assertions.ts';
import type { Snapshot } from '../storage/mirror/open-snapshot.ts';
import type { SnapshotSource } from '../storage/mirror/snapshot-sources.ts';
import type { MirrorState } from '../storage/mirror-state.ts';

/** The vulnerability data in use. Valid for a minute after it was asked for: then its file may be closed. */
export interface MirrorInUse {
  readonly snapshotId: string;
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
  /** By name. */
  readonly sources: readonly SnapshotSource[];
  readonly data: VulnerabilityData;
  /** What the operator says of vulnerabilities, by their names. */
  readonly assertions: ReadonlyMap<string, ExploitationAssertion>;
}

/** What was imported, as readers and operators see it. */
export interface Mirror {
  /** From memory while it has not changed; undefined when nothing was imported, or that cannot be read. */
  current(): MirrorInUse | undefined | Promise<MirrorInUse | undefined>;
  /** Whether there is data that cannot be read. */
  readonly isBroken: boolean;
  /** Closes what is open. */
  stop(): void;
}

export interface MirrorParts {
  readonly log: Log;
  readonly after: After;
  /** Changes with every import, rollback and assertion, whichever process made it. */
  readonly generation: () => number;
  readonly readState: () => Promise<MirrorState>;
  readonly readAssertions: () => Promise<ReadonlyMap<string, ExploitationAssertion>>;
  /** Opens a snapshot by its id; throws what it cannot. */
  readonly open: (id: string) => Snapshot;
}

/** No answer takes so long. */
const CLOSE_AFTER_MS = MINUTE_MS;

/** Takes every import over with the next request: the new file is opened, and the old one closed when nobody reads it any more. */
export function startMirror(parts: MirrorParts): Mirror {
  const { log, after, generation, readState, readAssertions, open } = parts;
  let snapshot: Snapshot | undefined;
  let isBroken = false;
  let isStopped = false;
  /** Snapshots that are to be closed, with what calls that off. */
  const closing = new Map<Snapshot, () => void>();

  const closeLater = (old: Snapshot) => {
    const callOff = after(CLOSE_AFTER_MS, () => {
      closing.delete(old);
      old.close();
    });
    closing.set(old, callOff);
  };

  const opened = (id: string): Snapshot | undefined => {
    if (snapshot?.id === id) return snapshot;
    try {
      return open(id);
    } catch (error) {
      isBroken = true;
      log.error(
        'the vulnerability data cannot be read: nothing is known of components until it is imported anew',
        { fault: faultOf(error) },
      );
      return undefined;
    }
  };

  const load = async (): Promise<MirrorInUse | undefined> => {
    const { current, kept } = await readState();
    const assertions = await readAssertions();
    if (isStopped) return undefined;
    isBroken = false;
    const next = current === null ? undefined : opened(current);
    if (snapshot !== undefined && snapshot !== next) closeLater(snapshot);
    snapshot = next;
    if (next === undefined) return undefined;
    return {
      snapshotId: next.id,
      importedAt: kept.find(({ id }) => id === next.id)?.importedAt ?? 0,
      sources: next.sources,
      data: next,
      assertions,
    };
  };
  // One after another, so that none takes what it has read before for newer than what another has opened.
  const turns = new Turns();
  const cache = new GenerationCache(generation, () => turns.take(load));

  return {
    current: () => cache.get(),
    get isBroken() {
      return isBroken;
    },
    stop() {
      isStopped = true;
      for (const [old, callOff] of closing) {
        callOff();
        old.close();
      }
      closing.clear();
      snapshot?.close();
      snapshot = undefined;
    },
  };
}
