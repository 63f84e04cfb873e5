const MIB = 1_024 * 1_024;

/** What a feed may be at most. */
export interface FeedLimits {
  /** Bytes of one record. */
  readonly recordBytes: number;
  /** Records of a feed, and members of an archive. */
  readonly members: number;
  /** Bytes when everything is expanded. */
  readonly expandedBytes: number;
  /** Expanded bytes for each byte that was read. */
  readonly ratio: number;
  /** Expanded bytes from which on the ratio counts: a small file may well repeat itself. */
  readonly ratioFromBytes: number;
  /** How deep objects and arrays may stand in each other. */
  readonly depth: number;
}

/** OSV's largest archive has some 300,000 members, its largest record some 2 MiB; real feeds expand 5 to 20 times. */
export const FEED_LIMITS: FeedLimits = {
  recordBytes: 4 * MIB,
  members: 1_000_000,
  expandedBytes: 8 * 1_024 * MIB,
  ratio: 200,
  ratioFromBytes: 16 * MIB,
  depth: 64,
};
