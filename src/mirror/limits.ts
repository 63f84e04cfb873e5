const MIB = 1_024 * 1_024;

/** Limits of a feed. */
export interface FeedLimits {
  /** Bytes of one record. */
  readonly recordBytes: number;
  /** Records in a feed, and members in an archive. */
  readonly members: number;
  /** Expanded bytes of the whole feed. */
  readonly expandedBytes: number;
  /** Maximum ratio of expanded to read bytes. */
  readonly ratio: number;
  /** The ratio applies above this number of expanded bytes, because small files may be repetitive. */
  readonly ratioFromBytes: number;
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
}

/** OSV's largest archive has about 300,000 members, its largest record about 2 MiB; real feeds expand by 5 to 20 times. */
export const FEED_LIMITS: FeedLimits = {
  recordBytes: 4 * MIB,
  members: 1_000_000,
  expandedBytes: 8 * 1_024 * MIB,
  ratio: 200,
  ratioFromBytes: 16 * MIB,
  depth: 64,
};
