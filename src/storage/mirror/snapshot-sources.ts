import type { DatabaseSync } from 'node:sqlite';
import type { FeedFormat } from '../../mirror/facts.ts';

/** A source of a snapshot. */
export interface SnapshotSource {
  /** Such as `osv:npm`, `wordfence`, `cve`, `kev:cisa` or `epss`. */
  readonly name: string;
  readonly format: FeedFormat;
  readonly records: number;
  /** The date of the feed or of its newest record, in milliseconds since the Unix epoch; null = unknown. */
  readonly publishedAt: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly importedAt: number;
  /** Of its last file, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly license: string;
  readonly attribution: string;
  /** Null for sources other than EPSS. */
  readonly epssModelVersion: string | null;
  /** The median of its EPSS scores; null for other sources. */
  readonly epssMedian: number | null;
  /** Records of its files that were malformed. */
  readonly refused: number;
}

/** The sources of a snapshot, by name. */
export const readSources = (client: DatabaseSync, schema = 'main'): SnapshotSource[] =>
  client
    .prepare(
      `
      select name, format, records, published_at as publishedAt, imported_at as importedAt, sha256, license,
        attribution, epss_model_version as epssModelVersion, epss_median as epssMedian, refused
      from ${schema}.sources order by name
      `,
    )
    .all() as unknown as SnapshotSource[];
