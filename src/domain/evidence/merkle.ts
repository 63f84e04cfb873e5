import { createHash } from 'node:crypto';

// The tree over a log's entries, as in Certificate Transparency (RFC 6962, 2.1; RFC 9162 is the same). Leaves and full subtrees
// are stored, whose hashes never change; roots and proofs are folded from them. Indexes and sizes may be up to 2^48: bitwise
// operators would truncate them to 32 bits.

/** The full subtree over the leaves from `index * 2^level` to before `(index + 1) * 2^level`; level 0 is a leaf. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Prefixes that distinguish leaves from nodes, so that no entry passes for a node. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of an entry. */
export const leafHash = (text: Uint8Array): Buffer => sha256(LEAF, text);

/** The hash of the parent of two hashes. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(NODE, left, right);

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The root of a log without entries. */
export const EMPTY_ROOT: Uint8Array = sha256();

/**
 * The subtrees above leaves that this leaf completes, lowest first. The hash of each combines its {@link leftHalf} with the
 * previous hash, at first the leaf's own.
 */
export function completedBy(leafIndex: number): Subtree[] {
  const completed: Subtree[] = [];
  for (let end = (leafIndex + 1) / 2; Number.isInteger(end); end /= 2)
    completed.push({ level: completed.length + 1, index: end - 1 });
  return completed;
}

/** Of a subtree above leaves, the one over the first half of its leaves. */
export const leftHalf = ({ level, index }: Subtree): Subtree => ({ level: level - 1, index: index * 2 });

/** The subtrees whose hashes fold to the root of the first `size` entries, largest first. */
export const subtreesOf = (size: number): Subtree[] => covering(0, size);

/** The root over subtrees that stand beside each other, each larger than the next. */
export const foldRight = (hashes: readonly Uint8Array[]): Buffer =>
  Buffer.from(hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right)));

/**
 * The subtrees over the leaves from `begin` to before `end`, largest first.
 *
 * @param begin a multiple of the smallest power of two that is not below `end - begin`
 */
export function covering(begin: number, end: number): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let from = begin; from < end; ) {
    const level = levelWithin(end - from);
    const leaves = 2 ** level;
    subtrees.push({ level, index: from / leaves });
    from += leaves;
  }
  return subtrees;
}

/** The level of the largest subtree within `leaves` leaves. Logarithms are inexact at powers of two. */
export function levelWithin(leaves: number): number {
  let level = 0;
  while (2 ** (level + 1) <= leaves) level += 1;
  return level;
}
