import { type After, SECOND_MS } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Room } from '../storage/engine/room.ts';
import type { StorageThread } from '../storage/engine/threads.ts';
import { wordsFor } from '../storage/engine/trouble.ts';

const EVERY_MS = 5 * SECOND_MS;

export interface StoreWatchParts {
  readonly room: Room;
  readonly thread: Pick<StorageThread, 'commit' | 'probe'>;
  readonly after: After;
  readonly log: Log;
}

/** Monitors whether changes can be stored, even if there are none. */
export interface StoreWatch {
  /** Commits jobs and records whether that succeeded. */
  readonly commit: StorageThread['commit'];
  /** Current problems, safe to show to unauthenticated callers. */
  problems(): string[];
  stop(): void;
}

/**
 * Checks at the start and every five seconds whether a transaction can be committed, and restores a missing disk reserve. After
 * a failure it checks with a real write, so that recovery is noticed without a client's request.
 */
export async function watchStore({ room, thread, after, log }: StoreWatchParts): Promise<StoreWatch> {
  let isFailing = false;
  let hadRoom = true;
  let isReserveBroken = false;
  let stopped = false;
  let cancel = () => {};

  const note = (fails: boolean) => {
    if (isFailing && !fails) log.info('changes can be stored again');
    isFailing = fails;
  };

  const reportRoom = () => {
    const hasRoom = room.isEnough();
    if (hadRoom && !hasRoom) {
      log.warn('disk space is low: only changes by operators are accepted');
    }
    if (!hadRoom && hasRoom) log.info('disk space is sufficient again');
    hadRoom = hasRoom;
  };

  const probe = async () => {
    try {
      await thread.probe(isFailing);
      note(false);
    } catch {
      if (!isFailing) log.error('changes cannot be stored');
      note(true);
    }
  };

  const writeReserve = async () => {
    try {
      await room.writeReserve();
      isReserveBroken = false;
    } catch (error) {
      if (!isReserveBroken) log.warn('the disk reserve cannot be written', { reason: wordsFor(error) });
      isReserveBroken = true;
    }
  };

  const check = async () => {
    await writeReserve();
    reportRoom();
    if (stopped) return;
    await probe();
    if (!stopped) cancel = after(EVERY_MS, check);
  };

  await probe();
  cancel = after(0, check);
  return {
    async commit(work) {
      try {
        const outcomes = await thread.commit(work);
        note(false);
        return outcomes;
      } catch (error) {
        note(true);
        throw error;
      }
    },
    problems: () => [
      ...(isFailing ? ['changes cannot be stored'] : []),
      ...(room.isEnough() ? [] : ['disk space is low: changes are refused']),
    ],
    stop() {
      stopped = true;
      cancel();
    },
  };
}
