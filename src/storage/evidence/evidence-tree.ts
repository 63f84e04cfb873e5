import { foldRight, type Subtree, subtreesOf } from '../../domain/evidence/merkle.ts';
import { consistencySubtrees, inclusionSubtrees } from '../../domain/evidence/merkle-proofs.ts';
import { Fault } from '../../lib/fault.ts';
import { oneAfterAnother } from '../../lib/one-after-another.ts';
import type { Database } from '../engine/database.ts';
import { prepare } from '../engine/statement.ts';

/** Reads the hashes of leaves and full subtrees; throws a Fault where one is missing. */
export function prepareHashes(db: Database): (logId: number, subtree: Subtree) => Promise<Buffer> {
  const leaf = prepare<{ hash: string }>(
    db,
    'select hash from evidence_entries where log_id = ? and position = ?',
  );
  const node = prepare<{ hash: string }>(
    db,
    'select hash from evidence_nodes where log_id = ? and level = ? and position = ?',
  );
  return async (logId, { level, index }) => {
    const row = level === 0 ? await leaf.get(logId, index) : await node.get(logId, level, index);
    if (row === undefined) throw new Fault(`the evidence log ${logId} lacks a hash. Restore the database`);
    return Buffer.from(row.hash, 'base64url');
  };
}

/**
 * Reads roots and proofs of logs, from a number of rows logarithmic in their size. Results for a size up to the log's never
 * change.
 */
export function readEvidenceTrees(db: Database) {
  const hashOf = prepareHashes(db);
  const folded = async (logId: number, subtrees: readonly Subtree[]): Promise<Buffer> =>
    foldRight(await oneAfterAnother(subtrees, (subtree) => hashOf(logId, subtree)));

  return {
    /** The root over a log's first entries. */
    rootOf: async (logId: number, size: number): Promise<Buffer> => folded(logId, subtreesOf(size)),

    /** That an entry is among a log's first ones. */
    inclusionProof: async (logId: number, index: number, size: number): Promise<Buffer[]> =>
      oneAfterAnother(inclusionSubtrees(index, size), (subtrees) => folded(logId, subtrees)),

    /** The same for several entries, in order; neighboring proofs share most hashes. */
    inclusionProofs: async (
      logId: number,
      positions: readonly number[],
      size: number,
    ): Promise<Buffer[][]> => {
      const known = new Map<string, Buffer>();
      const foldedOnce = async (subtrees: readonly Subtree[]): Promise<Buffer> => {
        const key = subtrees.map(({ level, index }) => `${level}/${index}`).join(' ');
        const hash = known.get(key) ?? (await folded(logId, subtrees));
        known.set(key, hash);
        return hash;
      };
      return oneAfterAnother(positions, (position) =>
        oneAfterAnother(inclusionSubtrees(position, size), foldedOnce),
      );
    },

    /** Proves that a log's first entries begin with those of an earlier state. */
    consistencyProof: async (logId: number, first: number, second: number): Promise<Buffer[]> =>
      oneAfterAnother(consistencySubtrees(first, second), (subtrees) => folded(logId, subtrees)),
  };
}
