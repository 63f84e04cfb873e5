import { ownTurn } from '../../lib/own-turn.ts';
import type { EvidenceQuery, EvidenceReads } from './evidence.ts';

/** Searches of one request, each in a turn of its own, so that a filter that fits little holds nobody up. */
const TURNS_MAX = 12;
const ENTRIES_PER_TURN = 20_000;

/** What a search found: indexes in their order, and where it goes on. */
export interface FoundEntries {
  readonly positions: readonly number[];
  /** The end of what was asked for once nothing is left. */
  readonly next: number;
}

/** Looks for so many entries that fit, some in each turn of the event loop, and gives up after some turns. */
export async function searchEvidence(
  { matching }: Pick<EvidenceReads, 'matching'>,
  { from, to, limit, ...wanted }: EvidenceQuery,
): Promise<FoundEntries> {
  const positions: number[] = [];
  let next = from;
  for (let turn = 0; turn < TURNS_MAX && next < to && positions.length < limit; turn++) {
    if (turn > 0) await ownTurn();
    const left = limit - positions.length;
    const end = Math.min(to, next + ENTRIES_PER_TURN);
    const found = await matching({ ...wanted, from: next, to: end, limit: left });
    positions.push(...found);
    next = found.length === left ? (found.at(-1) ?? 0) + 1 : end;
  }
  return { positions, next };
}
