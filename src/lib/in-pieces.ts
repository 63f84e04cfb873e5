import type { Awaitable } from './awaitable.ts';
import { ownTurn } from './own-turn.ts';

/** Ids after one, up to and including another. */
export type IdSpan = {
  readonly fromId: number;
  readonly toId: number;
};

/** Reads rows by ids up to the last one, some in each turn of the event loop. */
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
