import type { Awaitable } from './awaitable.ts';
import { ownTurn } from './own-turn.ts';

/** IDs greater than `fromId`, up to and including `toId`. */
export type IdSpan = {
  readonly fromId: number;
  readonly toId: number;
};

/** Reads rows by ID up to `last`, in pieces of `each` IDs, with a turn of the event loop between them. */
export async function* inPieces<Found>(
  last: number,
  each: number,
  read: (piece: IdSpan) => Awaitable<Found>,
): AsyncGenerator<Found> {
  for (let fromId = 0; fromId < last; fromId += each) {
    yield await read({ fromId, toId: fromId + each });
    await ownTurn();
  }
}
