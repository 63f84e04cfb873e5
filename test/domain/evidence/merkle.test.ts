import { describe, expect, test } from 'bun:test';
import {
  completedBy,
  EMPTY_ROOT,
  foldRight,
  leafHash,
  leftHalf,
  nodeHash,
  type Subtree,
  subtreesOf,
} from '../../../src/domain/evidence/merkle.ts';
import {
  consistencyHolds,
  consistencySubtrees,
  inclusionSubtrees,
  rootAfter,
  rootBefore,
  rootFromInclusion,
} from '../../../src/domain/evidence/merkle-proofs.ts';
import { logOf } from '../../support/evidence.ts';

/** Leaves, roots and proofs published with Certificate Transparency (transparency-dev/merkle, testonly). */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => Buffer.from(hex, 'hex'));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const [SECOND, THIRD_AND_FOURTH, LAST_FOUR, FIFTH, LAST_TWO, FIFTH_AND_SIXTH] = [
  '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
  '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
  '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
] as [string, string, string, string, string, string];
const [FIRST, FIRST_TWO, FIRST_FOUR] = [ROOTS[1], ROOTS[2], ROOTS[4]] as [string, string, string];

const hex = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'));

describe("Certificate Transparency's log of eight entries", () => {
  const log = logOf(LEAVES);

  test.each(ROOTS.map((root, size) => [size, root] as const))('of size %d has the root %s', (size, root) => {
    expect(hex([log.root(size)])).toEqual([root]);
  });

  test.each<[number, number, string[]]>([
    [0, 1, []],
    [0, 2, [SECOND]],
    [1, 2, [FIRST]],
    [2, 3, [FIRST_TWO]],
    [1, 5, [FIRST, THIRD_AND_FOURTH, FIFTH]],
    [0, 8, [SECOND, THIRD_AND_FOURTH, LAST_FOUR]],
    [5, 8, [FIFTH, LAST_TWO, FIRST_FOUR]],
  ])('proves entry %d of %d with the published hashes', (index, size, proof) => {
    expect(hex(log.inclusion(index, size))).toEqual(proof);
  });

  test.each<[number, number, string[]]>([
    [1, 1, []],
    [1, 8, [SECOND, THIRD_AND_FOURTH, LAST_FOUR]],
    [2, 5, [THIRD_AND_FOURTH, FIFTH]],
    [6, 8, [FIFTH_AND_SIXTH, LAST_TWO, FIRST_FOUR]],
  ])('proves growth from %d to %d with the published hashes', (first, second, proof) => {
    expect(hex(log.consistency(first, second))).toEqual(proof);
  });
});

describe('in every log of up to 300 entries', () => {
  const SIZE_MAX = 300;
  const log = logOf(Array.from({ length: SIZE_MAX }, (_, index) => Buffer.from(`entry ${index}`)));
  const leaf = (index: number) => leafHash(Buffer.from(`entry ${index}`));

  /** Follows the definitions of RFC 9162, 2.1.1, 2.1.3.1 and 2.1.4.1. */
  const known = new Map<string, Buffer>();
  const split = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1);
  const defined = (begin: number, end: number): Buffer => {
    const key = `${begin} ${end}`;
    const middle = begin + split(end - begin);
    const hash =
      known.get(key) ??
      (end - begin === 1 ? leaf(begin) : nodeHash(defined(begin, middle), defined(middle, end)));
    known.set(key, hash);
    return hash;
  };
  const path = (index: number, begin: number, end: number): Buffer[] => {
    if (end - begin === 1) return [];
    const middle = begin + split(end - begin);
    return index < middle
      ? [...path(index, begin, middle), defined(middle, end)]
      : [...path(index, middle, end), defined(begin, middle)];
  };
  const subproof = (first: number, begin: number, end: number, isWhole: boolean): Buffer[] => {
    if (first === end) return isWhole ? [] : [defined(begin, end)];
    const middle = begin + split(end - begin);
    return first <= middle
      ? [...subproof(first, begin, middle, isWhole), defined(middle, end)]
      : [...subproof(first, middle, end, false), defined(begin, middle)];
  };

  test('every root and inclusion proof matches its definition and proves the log up to and after its entry', () => {
    for (let size = 1; size <= SIZE_MAX; size += 1) {
      const root = log.root(size);
      expect(root.equals(defined(0, size))).toBe(true);
      for (let index = 0; index < size; index += 1) {
        const proof = path(index, 0, size);
        const made = log.inclusion(index, size);
        const holds =
          Buffer.concat(made).equals(Buffer.concat(proof)) &&
          rootFromInclusion(index, size, leaf(index), made)?.equals(root) &&
          rootAfter(index, size, leaf(index), made)?.equals(log.root(index + 1)) &&
          rootBefore(index, size, made)?.equals(log.root(index));
        if (!holds) expect([index, size]).toEqual([]);
      }
    }
  });

  test('every consistency proof matches its definition and is valid', () => {
    for (let second = 1; second <= SIZE_MAX; second += 1) {
      for (let first = 0; first <= second; first += 1) {
        const proof = log.consistency(first, second);
        const expected = first === 0 ? [] : subproof(first, 0, second, true);
        const [firstRoot, secondRoot] = [log.root(first), log.root(second)];
        const holds =
          Buffer.concat(proof).equals(Buffer.concat(expected)) &&
          consistencyHolds({ first, second, firstRoot, secondRoot, proof });
        if (!holds) expect([first, second]).toEqual([]);
      }
    }
  });
});

describe('in every log of up to 20 entries', () => {
  const SIZE_MAX = 20;
  const log = logOf(Array.from({ length: SIZE_MAX + 1 }, (_, index) => Buffer.from([index])));
  const leaf = (index: number) => leafHash(Buffer.from([index]));
  const flipped = (hash: Uint8Array) => Buffer.from(hash).fill((hash[0] ?? 0) ^ 1, 0, 1);
  const changesOf = (proof: readonly Uint8Array[]): (readonly Uint8Array[])[] => [
    ...proof.map((hash, at) => proof.with(at, flipped(hash))),
    ...proof.map((_, at) => proof.toSpliced(at, 1)),
    ...proof.map((hash, at) => proof.toSpliced(at, 0, hash)),
    ...proof.map((hash, at) => proof.with(at, hash.subarray(1))),
    ...(proof.length > 1 ? [proof.toReversed()] : []),
    [...proof, leaf(0)],
    [leaf(0), ...proof],
  ];

  test('no proof is valid for another entry, index, size or root', () => {
    for (let size = 1; size <= SIZE_MAX; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proof = log.inclusion(index, size);
        const shows = (...args: Parameters<typeof rootFromInclusion>) =>
          rootFromInclusion(...args)?.equals(log.root(size)) === true;
        expect(shows(index, size, leaf(index), proof)).toBe(true);
        expect(shows(index, size, leaf(index + 1), proof)).toBe(false);
        for (let other = -1; other <= size; other += 1)
          expect(shows(other, size, leaf(index), proof)).toBe(other === index);
        for (const changed of changesOf(proof))
          expect([index, size, shows(index, size, leaf(index), changed)]).toEqual([index, size, false]);
      }
    }
  });

  test('no proof is valid for growth between other logs', () => {
    for (let second = 1; second <= SIZE_MAX; second += 1) {
      for (let first = 0; first <= second; first += 1) {
        const own = { first, second, firstRoot: log.root(first), secondRoot: log.root(second) };
        const proof = log.consistency(first, second);
        expect(consistencyHolds({ ...own, proof })).toBe(true);
        const changes = [
          ...changesOf(proof).map((changed) => ({ ...own, proof: changed })),
          { ...own, proof, firstRoot: flipped(own.firstRoot) },
          // Every log has grown from the empty one.
          ...(first === 0 ? [] : [{ ...own, proof, secondRoot: flipped(own.secondRoot) }]),
          ...(first === 0 ? [] : [{ ...own, proof, first: first - 1 }]),
          ...(first === second ? [] : [{ ...own, proof, first: first + 1 }]),
          { ...own, proof, first: second + 1 },
        ];
        for (const changed of changes)
          expect([first, second, consistencyHolds(changed)]).toEqual([first, second, false]);
      }
    }
  });
});

test('a leaf cannot pass as a node, nor a node as a leaf', () => {
  const [left, right] = [leafHash(Buffer.from('a')), leafHash(Buffer.from('b'))];
  expect(leafHash(Buffer.concat([left, right]))).not.toEqual(nodeHash(left, right));
  expect(rootFromInclusion(0, 1, Buffer.concat([left, right]), [])).toBeUndefined();
  expect(rootAfter(0, 1, Buffer.from('a'), [])).toBeUndefined();
});

test('the root of an empty log is the hash of an empty string', () => {
  expect(subtreesOf(0)).toEqual([]);
  expect(hex([EMPTY_ROOT, foldRight([])])).toEqual([ROOTS[0] ?? '', ROOTS[0] ?? '']);
});

describe('in a log of 2^48 entries', () => {
  const SIZE = 2 ** 48;
  const leavesIn = (subtrees: readonly Subtree[]) => subtrees.reduce((sum, { level }) => sum + 2 ** level, 0);

  test('the subtrees of a size have as many leaves, without gaps', () => {
    for (const size of [SIZE, SIZE - 1, SIZE + 1, 2 ** 33 + 2 ** 31 + 5]) {
      let end = 0;
      for (const { level, index } of subtreesOf(size)) {
        expect(index * 2 ** level).toBe(end);
        end += 2 ** level;
      }
      expect(end).toBe(size);
    }
  });

  test('a subtree is complete at its last leaf', () => {
    expect(completedBy(SIZE - 2)).toEqual([]);
    expect(completedBy(SIZE - 1).length).toBe(48);
    expect(completedBy(SIZE - 1).at(-1)).toEqual({ level: 48, index: 0 });
    expect(completedBy(2 ** 40 + 2 ** 33 - 1).at(-1)).toEqual({ level: 33, index: 128 });
    expect(leftHalf({ level: 33, index: 2 ** 14 })).toEqual({ level: 32, index: 2 ** 15 });
  });

  test('proofs cover all other leaves and are valid', () => {
    const hash = leafHash(Buffer.from('some'));
    for (const [index, size] of [
      [0, SIZE],
      [SIZE - 1, SIZE],
      [2 ** 32 + 7, SIZE - 12_345],
      [SIZE, SIZE + 1],
    ] as const) {
      const proof = inclusionSubtrees(index, size);
      expect(leavesIn(proof.flat())).toBe(size - 1);
      expect(
        rootFromInclusion(
          index,
          size,
          hash,
          proof.map(() => hash),
        ),
      ).toBeDefined();
      expect(
        rootFromInclusion(
          index,
          size,
          hash,
          proof.slice(1).map(() => hash),
        ),
      ).toBeUndefined();
    }
    expect(consistencySubtrees(2 ** 47, SIZE)).toEqual([[{ level: 47, index: 1 }]]);
    expect(leavesIn(consistencySubtrees(2 ** 40 + 1, SIZE).flat())).toBe(SIZE);
  });

  test('nothing beyond the end of a log can be proved', () => {
    for (const [index, size] of [
      [1, 1],
      [0, 0],
      [-1, 1],
      [0.5, 2],
      [0, Number.POSITIVE_INFINITY],
      [Number.NaN, 1],
    ] as const) {
      expect(() => inclusionSubtrees(index, size)).toThrow('no entry');
      expect(rootFromInclusion(index, size, leafHash(Buffer.of()), [])).toBeUndefined();
    }
    expect(() => consistencySubtrees(2, 1)).toThrow('never larger');
  });
});
