import type { Sample } from './samples.ts';

/** Tokens of a shingle, of whose hashes the smallest are kept (A. Broder, On the resemblance and containment of documents). */
const SHINGLE_TOKENS = 6;
const KEPT = 12;
const SHARED_MIN = 0.5;

/** Finds the files that are nearly the same, so that a shell which every collection has does not count a hundred times. */
export function groupNearCopies(samples: readonly Sample[]): void {
  const parents: number[] = [];
  const rootOf = (group: number): number => {
    let root = group;
    while (parents[root] !== root) root = parents[root] as number;
    parents[group] = root;
    return root;
  };
  const owners = new Map<number, number>();
  for (const [group, sample] of samples.entries()) {
    parents.push(group);
    sample.group = group;
    const hashes = smallestHashes(sample);
    const shared = new Map<number, number>();
    for (const hash of hashes) {
      const owner = owners.get(hash);
      if (owner === undefined) continue;
      const root = rootOf(owner);
      shared.set(root, (shared.get(root) ?? 0) + 1);
    }
    for (const [root, count] of shared) {
      if (count >= hashes.length * SHARED_MIN) parents[rootOf(root)] = group;
    }
    for (const hash of hashes) owners.set(hash, group);
  }
  const sizes = new Map<number, number>();
  for (const sample of samples) {
    sample.group = rootOf(sample.group);
    sizes.set(sample.group, (sizes.get(sample.group) ?? 0) + 1);
  }
  for (const sample of samples) sample.groupSize = sizes.get(sample.group) ?? 1;
}

function smallestHashes({ tokens: { count, texts, shapes } }: Sample): readonly number[] {
  const hashes = new Set<number>();
  for (let at = 0; at + SHINGLE_TOKENS <= Math.max(SHINGLE_TOKENS, count); at++) {
    let hash = 17;
    for (let next = at; next < Math.min(count, at + SHINGLE_TOKENS); next++) {
      // Names are what a copy changes.
      hash = Math.imul(hash ^ ((shapes[next] as number) || (texts[next] as number)), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hashes.add(hash >>> 0);
  }
  return [...hashes].sort((a, b) => a - b).slice(0, KEPT);
}
