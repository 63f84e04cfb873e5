import { firstIndex } from '../../lib/first-index.ts';

/** Indexes that follow each other, both ends among them. */
export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

/** Of one file: more would let a hostile one grow our memory. */
const RANGES_MAX = 100_000;

/** Which entries of a log a file has, in memory that grows with its gaps alone. */
export class Coverage {
  /** Rising, with a gap between any two. */
  readonly #ranges: { first: number; last: number }[] = [];
  #entries = 0;

  /** How many entries there are, each counted once. */
  get entries(): number {
    return this.#entries;
  }

  /** The lowest and the highest index; undefined without entries. */
  get bounds(): IndexRange | undefined {
    const [lowest, highest] = [this.#ranges[0], this.#ranges.at(-1)];
    return lowest && highest && { first: lowest.first, last: highest.last };
  }

  /**
   * Notes an entry, in any order.
   *
   * @returns whether it is new; undefined when there are too many gaps to note it
   */
  add(index: number): boolean | undefined {
    const ranges = this.#ranges;
    // The first range that does not end before the index. Entries mostly come in order.
    const ends = ranges.at(-1)?.last ?? -1;
    const at = index > ends ? ranges.length : firstIndex(ranges, ({ last }) => last >= index);
    const [before, after] = [ranges[at - 1], ranges[at]];
    if (after && after.first <= index) return false;
    const [joinsBefore, joinsAfter] = [before?.last === index - 1, after?.first === index + 1];
    if (!joinsBefore && !joinsAfter && ranges.length >= RANGES_MAX) return undefined;
    this.#entries += 1;
    if (before && after && joinsBefore && joinsAfter) {
      before.last = after.last;
      ranges.splice(at, 1);
    } else if (before && joinsBefore) before.last = index;
    else if (after && joinsAfter) after.first = index;
    else ranges.splice(at, 0, { first: index, last: index });
    return true;
  }

  /** The gaps in a log of a size, in order. */
  missingOf(size: number): IndexRange[] {
    const gaps: IndexRange[] = [];
    let next = 0;
    for (const { first, last } of this.#ranges) {
      if (first > next) gaps.push({ first: next, last: first - 1 });
      next = last + 1;
    }
    return next < size ? [...gaps, { first: next, last: size - 1 }] : gaps;
  }
}
