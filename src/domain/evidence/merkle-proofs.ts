import { Fault } from '../../lib/fault.ts';
import {
  covering,
  EMPTY_ROOT,
  foldRight,
  HASH_BYTES,
  levelWithin,
  nodeHash,
  type Subtree,
} from './merkle.ts';

// Proofs, in few hashes, that an entry is in a log, and that a log has only grown (RFC 9162, 2.1.3 and 2.1.4).

/**
 * Where the hashes of an inclusion proof come from (2.1.3.1), from the leaf up: each list folds to one of them, see `foldRight`.
 *
 * @throws Fault for an index that is not below the size
 */
export function inclusionSubtrees(index: number, size: number): Subtree[][] {
  if (!isBelow(index, size)) throw new Fault('a log of that size has no entry of that index');
  const fromTheRoot: Subtree[][] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + leftLeaves(end - begin);
    if (index < middle) {
      fromTheRoot.push(covering(middle, end));
      end = middle;
    } else {
      fromTheRoot.push(covering(begin, middle));
      begin = middle;
    }
  }
  return fromTheRoot.reverse();
}

/**
 * Where the hashes of a consistency proof come from (2.1.4.1), from the leaves up: each list folds to one of them. From nothing, and
 * from a size to itself, there is nothing to prove.
 *
 * @throws Fault when the first size is beyond the second
 */
export function consistencySubtrees(first: number, second: number): Subtree[][] {
  if (!isBelow(first, second + 1)) throw new Fault('a log was never larger than it is');
  if (first === 0) return [];
  const fromTheRoot: Subtree[][] = [];
  let [begin, end] = [0, second];
  while (first < end) {
    const middle = begin + leftLeaves(end - begin);
    if (first <= middle) {
      fromTheRoot.push(covering(middle, end));
      end = middle;
    } else {
      fromTheRoot.push(covering(begin, middle));
      begin = middle;
    }
  }
  // The rest is a separate tree: the whole first one, which is known, or its last part.
  if (begin > 0) fromTheRoot.push(covering(begin, end));
  return fromTheRoot.reverse();
}

/**
 * The root of a log of that size with the leaf at that index, by an inclusion proof (2.1.3.2).
 *
 * @param leaf its hash
 * @returns undefined when the index is not below the size, or the proof has too many or too few hashes
 */
export function rootFromInclusion(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
): Buffer | undefined {
  const siblings = siblingsIn(index, size, proof);
  return siblings === undefined || !isHash(leaf) ? undefined : climb(leaf, siblings);
}

/**
 * The root of the log when this leaf was its last one, by the leaf's inclusion proof in the current log: the hashes to the left
 * of a leaf never change.
 *
 * @returns undefined as with {@link rootFromInclusion}, which must have shown that the proof is right
 */
export function rootAfter(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
): Buffer | undefined {
  const left = leftOf(index, size, proof);
  return left === undefined || !isHash(leaf) ? undefined : foldRight([...left, leaf]);
}

/** The root before this leaf: of the first `index` entries. */
export function rootBefore(index: number, size: number, proof: readonly Uint8Array[]): Buffer | undefined {
  const left = leftOf(index, size, proof);
  return left === undefined ? undefined : foldRight(left);
}

/** Two states of a log, and the proof that the first is the beginning of the second. */
export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Whether a log of the second size and root has that of the first as its beginning, by a consistency proof (2.1.4.2). */
export function consistencyHolds({ first, second, firstRoot, secondRoot, proof }: Consistency): boolean {
  if (!isBelow(first, second + 1) || ![firstRoot, secondRoot, ...proof].every(isHash)) return false;
  if (first === second || first === 0) {
    const known = first === second ? secondRoot : EMPTY_ROOT;
    return proof.length === 0 && isSame(firstRoot, known);
  }
  const isWhole = 2 ** levelWithin(first) === first;
  const [start, ...rest] = isWhole ? [firstRoot, ...proof] : proof;
  if (start === undefined) return false;
  // The last full subtree of the first log takes the place of a leaf, in a tree of subtrees of that size.
  const { level, index } = lastOf(covering(0, first));
  const siblings = siblingsIn(index, Math.ceil(second / 2 ** level), rest);
  if (siblings === undefined) return false;
  const before = foldRight([...leftAmong(siblings), start]);
  return isSame(before, firstRoot) && isSame(climb(start, siblings), secondRoot);
}

interface Sibling {
  readonly hash: Uint8Array;
  readonly isLeft: boolean;
}

/** The side of each hash on the path from a leaf to the root; undefined when the proof does not fit the tree. */
function siblingsIn(index: number, size: number, proof: readonly Uint8Array[]): Sibling[] | undefined {
  if (!isBelow(index, size) || !proof.every(isHash)) return undefined;
  const siblings: Sibling[] = [];
  let [at, last] = [index, size - 1];
  for (const hash of proof) {
    if (last === 0) return undefined;
    const isLeft = at % 2 === 1 || at === last;
    siblings.push({ hash, isLeft });
    // The last one of a level that has no neighbour moves up alone.
    while (isLeft && at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? siblings : undefined;
}

/** The root above a hash and all that stands beside its way there. */
const climb = (hash: Uint8Array, siblings: readonly Sibling[]): Buffer =>
  Buffer.from(
    siblings.reduce(
      (below, { isLeft, hash: beside }) => (isLeft ? nodeHash(beside, below) : nodeHash(below, beside)),
      hash,
    ),
  );

/** What stands to the left, the largest subtree first. */
const leftAmong = (siblings: readonly Sibling[]): Uint8Array[] =>
  siblings
    .filter(({ isLeft }) => isLeft)
    .map(({ hash }) => hash)
    .reverse();

function leftOf(index: number, size: number, proof: readonly Uint8Array[]): Uint8Array[] | undefined {
  const siblings = siblingsIn(index, size, proof);
  return siblings === undefined ? undefined : leftAmong(siblings);
}

const half = (number: number): number => Math.floor(number / 2);

/** How many of several leaves stand to the left of the root: the largest power of two below their number. */
const leftLeaves = (leaves: number): number => 2 ** levelWithin(leaves - 1);

const lastOf = (subtrees: readonly Subtree[]): Subtree => subtrees.at(-1) ?? { level: 0, index: 0 };

const isBelow = (index: number, size: number): boolean =>
  Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size;

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES;

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
