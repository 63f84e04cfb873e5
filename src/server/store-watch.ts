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

/** Knows whether changes can be stored, also without any changes. */
export interface StoreWatch {
  /** Has jobs committed, and notes whether that worked. */
  readonly commit: StorageThread['commit'];
  /** What is wrong, in words that anybody may read. */
  problems(): string[];
  stop(): void;
}

/**
 * Tries every five seconds, and once at the start, whether a transaction can be committed, and lays the reserve when it is
 * missing. After a failure it tries with a real write, so that a disk that came back is noticed without a client's help.
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

  const tellRoom = () => {
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

  const look = async () => {
    await writeReserve();
    tellRoom();
    if (stopped) return;
    await probe();
    if (!stopped) cancel = after(EVERY_MS, look);
  };

  await probe();
  cancel = after(0, look);
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
