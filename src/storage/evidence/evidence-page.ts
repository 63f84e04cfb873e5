import type { ExportEntry } from '../../domain/evidence/export.ts';
import { hashIn } from '../../domain/evidence/fields.ts';
import { Fault } from '../../lib/fault.ts';
import { ownTurn } from '../../lib/own-turn.ts';
import type { EvidenceReads } from './evidence.ts';

const ENTRIES_PER_TURN = 200;

/** Yields entries with their proofs in a log of a given size, some in each turn of the event loop. */
export async function* evidencePage(
  reads: Pick<EvidenceReads, 'entries' | 'inclusionProofs'>,
  logId: number,
  positions: readonly number[],
  size: number,
): AsyncGenerator<ExportEntry> {
  for (let begin = 0; begin < positions.length; begin += ENTRIES_PER_TURN) {
    if (begin > 0) await ownTurn();
    const piece = positions.slice(begin, begin + ENTRIES_PER_TURN);
    const proofs = await reads.inclusionProofs(logId, piece, size);
    for (const [at, position] of piece.entries()) {
      const [found] = await reads.entries(logId, position, position + 1);
      if (found === undefined) continue;
      const line = { index: position, proof: proofs[at] ?? [] };
      if (found.entry !== null) yield { ...line, entry: found.entry };
      else yield { ...line, leafHash: leafIn(found.hash, logId) };
    }
  }
}

function leafIn(hash: string, logId: number): Uint8Array {
  const leafHash = hashIn(hash, 'base64url');
  if (leafHash === undefined)
    throw new Fault(`a hash of the evidence log ${logId} is damaged. Restore the database`);
  return leafHash;
}
