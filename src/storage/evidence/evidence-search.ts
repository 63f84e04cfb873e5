import { ownTurn } from '../../lib/own-turn.ts';
import type { EvidenceQuery, EvidenceReads } from './evidence.ts';

/** Searches per request, each in a turn of the event loop, so that a filter with few matches blocks no other request. */
const TURNS_MAX = 12;
const ENTRIES_PER_TURN = 20_000;

/** The result of a search: indexes in order, and where to continue. */
export interface FoundEntries {
  readonly positions: readonly number[];
  /** The end of the requested range when nothing is left. */
  readonly next: number;
}

/** Searches for a number of matching entries, some in each turn of the event loop, and stops after some turns. */
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
